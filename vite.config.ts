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
    : { outDir: 'dist/client', emptyOutDir: true, manifest: true, modulePreload: { polyfill: false } },
  // The server's bundle carries its own React, so that it renders the same whatever is installed beside it.
  ...(isSsrBuild && command === 'build'
    ? { ssr: { noExternal: true as const }, define: { 'process.env.NODE_ENV': '"production"' } }
    : {}),
}))
