import { mount } from "svelte";
import "uplot/dist/uPlot.min.css";
import App from "./App.svelte";
import "./app.css";
import "./chart/chart.css";
import { live } from "./lib/live.svelte";
import { settle } from "./lib/ready";

const target = document.getElementById("console");
if (target) mount(App, { target });
void live.start();
settle();
