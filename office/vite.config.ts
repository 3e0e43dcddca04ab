import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { iconWeights } from '../tools/icon-weights.ts'
import { namedWindows } from '../tools/named-windows.ts'

/**
 * The office is a separate build, after the shop: its code can't get into a shopper's chunks, preloads or
 * precache list. Its files are with the shop's in `assets`, so that they are served, compressed and kept for open
 * pages in the same way (server/pages/assets.ts); their names begin with `office-`.
 */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  publicDir: false,
  plugins: [namedWindows(), react(), iconWeights()],
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  css: { transformer: 'lightningcss', lightningcss: { drafts: { customMedia: true } } },
  build: {
    outDir: 'dist/client',
    emptyOutDir: false,
    manifest: '.vite/office.json',
    modulePreload: { polyfill: false },
    minify: 'terser',
    terserOptions: { ecma: 2020, module: true, compress: { passes: 2 } },
    rolldownOptions: {
      input: 'office/index.html',
      output: {
        entryFileNames: 'assets/office-[hash:8].js',
        chunkFileNames: 'assets/office-[hash:8].js',
        // What nearly every screen needs, in one chunk: the heaviest first screen asks for 175.0 kB instead of 180.0 kB
        // in dozens of files (November 2026).
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 33 }] },
        assetFileNames: ({ names }) =>
          names[0]?.endsWith('.css') ? 'assets/office-[hash:8].css' : 'assets/[name]-[hash][extname]',
      },
    },
  },
})
