package look

import "math"

// studentTail returns the probability that a value of Student's distribution is above t. The
// parameter `df` is the number of degrees of freedom. It need not be a whole number.
func studentTail(t, df float64) float64 {
	if math.IsInf(t, 1) {
		return 0
	}
	p := incompleteBeta(df/2, 0.5, df/(df+t*t)) / 2
	if t < 0 {
		return 1 - p
	}
	return p
}

// studentQuantile returns the value t for which studentTail(t, df) is p. The parameter `p` must be
// below one half.
func studentQuantile(p, df float64) float64 {
	low, high := 0.0, 1.0
	for studentTail(high, df) > p && high < 1e9 {
		high *= 2
	}
	for range 100 {
		middle := (low + high) / 2
		if studentTail(middle, df) > p {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// incompleteBeta returns the regularised incomplete beta function I_x(a, b), by its continued
// fraction (Abramowitz and Stegun, 26.5.8), computed from front to back (Lentz).
func incompleteBeta(a, b, x float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2): // the fraction converges quickly only if x is below this value
		return 1 - incompleteBeta(b, a, 1-x)
	}
	const tiny, precision, mostTerms = 1e-300, 1e-14, 500
	awayFromZero := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/awayFromZero(1-(a+b)*x/(a+1))
	sum := d
	for m := 1.0; m <= mostTerms; m++ {
		for _, term := range []float64{
			m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m)),
			-(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1)),
		} {
			d = 1 / awayFromZero(1+term*d)
			c = awayFromZero(1 + term/c)
			sum *= c * d
		}
		if math.Abs(c*d-1) < precision {
			break
		}
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	return math.Exp(a*math.Log(x)+b*math.Log1p(-x)-la-lb+lab) * sum / a
}
