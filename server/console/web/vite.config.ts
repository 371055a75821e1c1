import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// Everything is named relative to the page, so that it can stand behind a proxy at
// any path. Go embeds what is built.
export default defineConfig({
  base: "./",
  plugins: [svelte()],
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    assetsDir: "console",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
  },
  server: { proxy: { "/api": "http://127.0.0.1:9714", "/console/system.json": "http://127.0.0.1:9714" } },
});
