import { readFileSync } from 'node:fs'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { iconWeights } from './tools/icon-weights.ts'

const manifest = JSON.parse(readFileSync(new URL('./manifest.webmanifest', import.meta.url), 'utf8'))

export default defineConfig(({ isSsrBuild, command }) => ({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // A screen's loader travels with its component: the first view carries one screen's, not every screen's.
      codeSplittingOptions: {
        defaultBehavior: [['loader', 'component'], ['errorComponent'], ['notFoundComponent']],
      },
      quoteStyle: 'single',
      semicolons: false,
    }),
    laterParts(),
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
  // The store's shim is for older React; ours has the hook itself.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  build: isSsrBuild
    ? { outDir: 'dist/ssr', emptyOutDir: true, copyPublicDir: false }
    : {
        outDir: 'dist/client',
        emptyOutDir: true,
        manifest: true,
        // Each import of a part would list all that the part needs: 3 kB of names in the first view, to spare a later
        // screen one round of fetches that the worker's copies spare it anyway. Styles stay listed.
        modulePreload: {
          polyfill: false,
          resolveDependencies: (_file, deps, { hostType }) => (hostType === 'js' ? [] : deps),
        },
        minify: 'terser',
        terserOptions: {
          ecma: 2020,
          module: true,
          compress: { passes: 3, keep_fargs: false, pure_getters: true },
        },
        rolldownOptions: {
          output: {
            // What a part is called stands in every file that imports it; the manifest knows it by its source.
            chunkFileNames: 'assets/c-[hash].js',
            assetFileNames: ({ names }) =>
              names[0]?.endsWith('.css') ? 'assets/c-[hash].css' : 'assets/[name]-[hash][extname]',
            codeSplitting: { groups: [{ name: firstView() }] },
          },
        },
      },
  // The server's bundle carries its own React, so that it renders the same whatever is installed beside it.
  ...(isSsrBuild && command === 'build'
    ? { ssr: { noExternal: true as const }, define: { 'process.env.NODE_ENV': '"production"' } }
    : {}),
}))

type ModuleInfo = { readonly importedIds: readonly string[] } | null

/** The entry, and the parts that nearly every screen begins with. */
const FIRST = [
  './src/main.tsx',
  './src/app/PageHead.tsx',
  './src/features/catalogue/model.ts',
  './src/ui/AnchorButton.tsx',
  './src/ui/Cover.tsx',
  './src/ui/LinkButton.tsx',
]
/** Named by their libraries' front files, and used by later screens only. */
const LATER =
  /\/(queriesObserver|infiniteQueryObserver|use(Suspense)?Queries|useInfiniteQuery)\.js$|\.later\.tsx$/

/**
 * Everything that the entry imports outright is one file, instead of fifty that several screens happen to
 * share: it is always fetched together, and compresses better whole.
 */
function firstView() {
  const first = new Set<string>()
  return (id: string, graph: { getModuleInfo(id: string): ModuleInfo }): string | null => {
    if (first.size === 0) {
      const visit = (module: string) => {
        if (first.has(module) || LATER.test(module)) return
        first.add(module)
        for (const imported of graph.getModuleInfo(module)?.importedIds ?? []) visit(imported)
      }
      for (const root of FIRST) visit(new URL(root, import.meta.url).pathname)
    }
    return (first.has(id) && !id.endsWith('.css')) || id.endsWith('rolldown/runtime.js') ? 'first' : null
  }
}

/**
 * The server imports parts below the first view outright, to render them; the browser fetches them after the
 * page has loaded (src/ui/later.tsx). In the browser's build the outright import is therefore taken out.
 */
function laterParts(): Plugin {
  return {
    name: 'later-parts',
    enforce: 'pre',
    transform(code, id, options) {
      if (options?.ssr || !/\.tsx?(\?|$)/.test(id) || !code.includes('.later.tsx')) return undefined
      return code.replaceAll(
        /^import \{ \w+ as (\w+) \} from ['"][^'"]+\.later\.tsx['"];?$/gm,
        'const $1 = undefined',
      )
    },
  }
}
