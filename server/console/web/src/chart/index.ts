// The library as static pages have it: one script that package page embeds.

import "uplot/dist/uPlot.min.css";
import "./chart.css";

export { ink, restyle } from "./ink";
export { Plot } from "./plot";
