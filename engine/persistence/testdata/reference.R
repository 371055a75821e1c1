# Scores and thresholds computed another way: plain R, from the definitions in
# docs/method.md, with R's own quantile(), hist() and dist(). Run with
#   Rscript reference.R input.csv > reference.csv
# input.csv: case, component, then the 240 raw values of a component, NA where
# missing. reference.csv: case, measure, window, component, bins, width, score;
# and lines "threshold" with what training on all windows gives.
options(digits = 17)
WinSize <- 60; WinShift <- 30; Smooth <- 15; MaxBins <- 1000; Noise <- 1

smooth <- function(x) sapply(seq_along(x), function(i)
  if (is.na(x[i])) NA else mean(x[max(1, i - Smooth + 1):i], na.rm = TRUE))

# d is a symmetric matrix of distances; the score is the distance that more
# than half of the others exceed or reach.
score <- function(d) {
  n <- nrow(d)
  sapply(1:n, function(i) sort(d[i, -i], decreasing = TRUE)[floor((n - 1) / 2) + 1])
}

cdf <- function(x) {
  pool <- x[!is.na(x)]
  lo <- min(pool); hi <- max(pool)
  if (lo == hi) { w <- 0; bins <- 1 } else {
    q <- quantile(pool, c(0.25, 0.75), type = 7, names = FALSE)
    w <- max(2 * (q[2] - q[1]) * WinSize^(-1 / 3), Noise)
    bins <- ceiling((hi - lo) / w)
    if (bins > MaxBins) { bins <- MaxBins; w <- (hi - lo) / MaxBins }
  }
  cumulative <- t(apply(x, 1, function(v) {
    v <- v[!is.na(v)]
    if (bins == 1) return(length(v))
    # Bins are closed on the left; the last one on the right too.
    breaks <- c(lo + w * (0:(bins - 1)), max(hi, lo + w * bins))
    cumsum(hist(v, breaks = breaks, right = FALSE, include.lowest = TRUE, plot = FALSE)$counts)
  }))
  if (bins == 1) cumulative <- t(cumulative)
  d <- as.matrix(dist(cumulative / WinSize, method = "manhattan"))
  list(bins = bins, width = w, score = score(d))
}

kl <- function(x) {
  pool <- x[!is.na(x)]
  lo <- min(pool); hi <- max(pool)
  bins <- ceiling(log2(WinSize) + 1)
  w <- (hi - lo) / bins
  p <- t(apply(x, 1, function(v) {
    v <- v[!is.na(v)]
    counts <- if (hi == lo) c(length(v), rep(0, bins - 1)) else tabulate(pmin(floor((v - lo) / w), bins - 1) + 1, bins)
    (counts + 0.5) / sum(counts + 0.5)
  }))
  n <- nrow(p); d <- matrix(0, n, n)
  for (i in 1:n) for (j in 1:n)
    d[i, j] <- (sum(p[i, ] * log(p[i, ] / p[j, ])) + sum(p[j, ] * log(p[j, ] / p[i, ]))) / 2
  list(bins = bins, width = w, score = score(d))
}

med <- function(x) {
  m <- apply(x, 2, median, na.rm = TRUE)
  list(bins = 0, width = 0, score = apply(x, 1, function(v) sum(abs(v - m), na.rm = TRUE)))
}

thresh <- function(x) list(bins = 0, width = 0, score = apply(x, 1, function(v) if (all(is.na(v))) 0 else max(v, na.rm = TRUE)))

wasserstein <- function(x) {
  n <- nrow(x); d <- matrix(0, n, n)
  for (i in 1:n) for (j in 1:n) {
    a <- sort(x[i, ]); b <- sort(x[j, ])
    if (length(a) > 0 && length(b) > 0)
      d[i, j] <- mean(abs(rep(a, each = length(b)) - rep(b, each = length(a))))
  }
  list(bins = 0, width = 0, score = score(d))
}

input <- read.csv(commandArgs(trailingOnly = TRUE)[1], header = FALSE)
num <- function(v) format(v, digits = 17, scientific = TRUE, trim = TRUE)
for (case in unique(input[, 1])) {
  rows <- input[input[, 1] == case, ]
  raw <- as.matrix(rows[, -(1:2)]); storage.mode(raw) <- "double"
  x <- t(apply(raw, 1, smooth))
  for (measure in c("cdf", "kl", "median", "thresh", "wasserstein")) {
    all <- NULL
    for (end in seq(WinSize, ncol(x), by = WinShift)) {
      r <- switch(measure, cdf = cdf, kl = kl, median = med, thresh = thresh, wasserstein = wasserstein)(x[, (end - WinSize + 1):end])
      all <- cbind(all, r$score)
      for (i in seq_along(r$score))
        cat(case, measure, end, rows[i, 2], r$bins, num(r$width), num(r$score[i]), sep = ",", fill = FALSE, "\n")
    }
    typical <- median(all)
    largest <- switch(measure, cdf = MaxBins, kl = {
      b <- ceiling(log2(WinSize) + 1); P <- c(WinSize, rep(0, b - 1)) + 0.5; Q <- rev(P)
      P <- P / sum(P); Q <- Q / sum(Q); (sum(P * log(P / Q)) + sum(Q * log(Q / P))) / 2 }, Inf)
    for (i in 1:nrow(all))
      cat(case, measure, "threshold", rows[i, 2], 0, 0, num(min(max(2 * max(all[i, ]), typical), largest / 2)), sep = ",", fill = FALSE, "\n")
  }
}
