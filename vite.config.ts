import { readFileSync } from 'node:fs'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { iconWeights } from './tools/icon-weights.ts'

const manifest = JSON.parse(readFileSync(new URL('./manifest.webmanifest', import.meta.url), 'utf8'))

export default defineConfig(({ isSsrBuild, command }) => ({
  plugins: [
    tanstackRouter({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single', semicolons: false }),
    react(),
    iconWeights(),
    ...(isSsrBuild
      ? []
      : [
          VitePWA({
            strategies: 'injectManifest',
            srcDir: 'sw',
            filename: 'service-worker.ts',
            registerType: 'prompt',
            injectRegister: false,
            manifest,
            injectManifest: {
              // The bare shell, every chunk and the fonts: an installed app opens any screen without a network.
              globPatterns: ['**/*.{js,css,html,svg,woff2}'],
              globIgnores: ['media/**', '**/*latin-ext*'],
            },
          }),
        ]),
  ],
  build: isSsrBuild
    ? { outDir: 'dist/ssr', emptyOutDir: true, copyPublicDir: false }
    : {
        outDir: 'dist/client',
        emptyOutDir: true,
        manifest: true,
        modulePreload: { polyfill: false },
        rolldownOptions: { output: { codeSplitting: { groups: [{ name: firstView() }] } } },
      },
  // The server's bundle carries its own React, so that it renders the same whatever is installed beside it.
  ...(isSsrBuild && command === 'build'
    ? { ssr: { noExternal: true as const }, define: { 'process.env.NODE_ENV': '"production"' } }
    : {}),
}))

type ModuleInfo = { readonly importedIds: readonly string[] } | null

/**
 * Everything that the entry imports outright is one file, instead of fifty that several screens happen to
 * share: it is always fetched together, and compresses better whole.
 */
function firstView() {
  const first = new Set<string>()
  return (id: string, graph: { getModuleInfo(id: string): ModuleInfo }): string | null => {
    if (first.size === 0) {
      const visit = (module: string) => {
        if (first.has(module)) return
        first.add(module)
        for (const imported of graph.getModuleInfo(module)?.importedIds ?? []) visit(imported)
      }
      visit(new URL('./src/main.tsx', import.meta.url).pathname)
    }
    return first.has(id) && !id.endsWith('.css') ? 'first' : null
  }
}
