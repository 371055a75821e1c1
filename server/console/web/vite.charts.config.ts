import { defineConfig } from "vite";

// The library of charts as one classic script and one style sheet, which package page
// writes into static pages, with the licence of uPlot.
export default defineConfig({
  build: {
    outDir: "../../../report/page/assets",
    emptyOutDir: false,
    cssTarget: ["chrome123", "firefox120", "safari17.5"], // which have light-dark()
    target: "es2022",
    lib: {
      entry: "src/chart/index.ts",
      name: "charts",
      formats: ["iife"],
      fileName: () => "charts.js",
      cssFileName: "charts",
    },
  },
});
