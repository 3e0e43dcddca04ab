import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { iconWeights } from './tools/icon-weights.ts'

export default defineConfig(({ isSsrBuild, command }) => ({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // A screen's loader is in the same chunk as its component, so the first view loads only its own.
      codeSplittingOptions: {
        defaultBehavior: [['loader', 'component'], ['errorComponent'], ['notFoundComponent']],
      },
      quoteStyle: 'single',
      semicolons: false,
    }),
    namedWindows(),
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
            // The server writes it, with the owner's name (server/pages/shop-pictures.ts).
            manifest: false,
            injectManifest: {
              // The empty shell, every chunk and the fonts: an installed app opens any screen without a network.
              globPatterns: ['**/*.{js,css,html,svg,woff2}'],
              globIgnores: ['media/**', '**/*latin-ext*', 'icons/**', 'favicon.svg'],
            },
          }),
        ]),
  ],
  // The package's shim is for older React versions; ours has the hook itself.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  // For `@custom-media`. `light-dark()` is compiled to variables for browsers that don't support it.
  css: { transformer: 'lightningcss', lightningcss: { drafts: { customMedia: true } } },
  build: isSsrBuild
    ? { outDir: 'dist/ssr', emptyOutDir: true, copyPublicDir: false }
    : {
        outDir: 'dist/client',
        emptyOutDir: true,
        manifest: true,
        // Otherwise each dynamic import lists all the chunks that it needs: 3 kB of names in the first view, to save a later
        // screen one round of requests. The service worker's cache saves that anyway. Styles stay listed.
        modulePreload: {
          polyfill: false,
          resolveDependencies: (_file, deps, { hostType }) => (hostType === 'js' ? [] : deps),
        },
        minify: 'terser',
        terserOptions: {
          ecma: 2020,
          module: true,
          // `pure_getters` drops property reads whose value is unused. Measured in November 2026: 0.5 kB of the home page's
          // 135 kB, gzipped, which would be over its budget (tests/codebase/budget.test.ts) without it. It is safe as
          // long as no read has a side effect: to force a layout or a getter, use the value.
          compress: { passes: 3, keep_fargs: false, pure_getters: true },
        },
        rolldownOptions: {
          output: {
            // Short names, because every importing file repeats them; the manifest has the source of each chunk.
            chunkFileNames: 'assets/c-[hash:7].js',
            assetFileNames: ({ names }) =>
              names[0]?.endsWith('.css') ? 'assets/c-[hash:7].css' : 'assets/[name]-[hash][extname]',
            codeSplitting: {
              groups: [
                { name: inFirstView },
                { name: inHome, minShareCount: 2 },
                { name: inShopWindow, minShareCount: 2 },
                { name: inStart },
              ],
            },
          },
        },
      },
  // Bundle React with the server, so that rendering does not depend on the installed version.
  ...(isSsrBuild && command === 'build'
    ? { ssr: { noExternal: true as const }, define: { 'process.env.NODE_ENV': '"production"' } }
    : {}),
}))

type ModuleInfo = { readonly importedIds: readonly string[] } | null
type Graph = { getModuleInfo(id: string): ModuleInfo }

/** The entry, and the modules that nearly every screen starts with. */
const FIRST = [
  './src/main.tsx',
  './src/app/page/PageHead.tsx',
  './src/features/catalogue/model.ts',
  './src/ui/AnchorButton.tsx',
  './src/ui/Cover.tsx',
  './src/ui/LinkButton.tsx',
]
/** Exported by the index files of their libraries, but only used by later screens. */
const LATER = /\/(queriesObserver|infiniteQueryObserver|use(Suspense)?Queries|useInfiniteQuery)\.js$/

/** Our own code, or an icon. */
const OWN = /\/(src|contract)\/|@phosphor-icons/
/** Most visits start here: its chunk must not wait for code that only other screens share. */
const HOME = './src/routes/index.tsx?tsr-split=component---loader'
/** The screens of the shop window, between which visitors navigate. */
const WINDOW = [
  './src/routes/-home/HomePanels.tsx',
  './src/app/footer/StandardFooter.tsx',
  './src/routes/-catalogue/ListingScreen.tsx',
  './src/routes/-catalogue/BookScreen.tsx',
  './src/routes/-editorial/EditorialScreen.tsx',
  './src/routes/-editorial/EditorialList.tsx',
]

/** Loaded by every page right after it has loaded. */
const START = ['./src/app/start/follow-owner.ts']

const fileOf = (root: string) => join(import.meta.dirname, root)

/**
 * All static imports of the entry are one file instead of the fifty that several screens happen to share: they are
 * always loaded together, and compress better as one.
 */
const firstView = once((graph) => closureOf(FIRST.map(fileOf), graph))

const home = once((graph) => closureOf([...FIRST, HOME].map(fileOf), graph))

/**
 * What two screens of the shop window share is one file too, because each request costs a slow phone time. Only for
 * our own modules: code that depends on a library is loaded with the first screen that needs the library.
 */
const shopWindow = once((graph) => {
  const early = home(graph)
  const isLight = (module: string) =>
    [...closureOf([module], graph)].every((each) => early.has(each) || OWN.test(each))
  const seen = [...closureOf(WINDOW.map(fileOf), graph)]
  return new Set(seen.filter((module) => !early.has(module) && isLight(module)))
})

const start = once((graph) => {
  const others = new Set([...home(graph), ...shopWindow(graph)])
  return new Set([...closureOf(START.map(fileOf), graph)].filter((module) => !others.has(module)))
})

const inFirstView = (id: string, graph: Graph) =>
  (firstView(graph).has(id) && !id.endsWith('.css')) || id.endsWith('rolldown/runtime.js') ? 'first' : null
const inHome = (id: string, graph: Graph) => (home(graph).has(id) ? 'home' : null)
const inStart = (id: string, graph: Graph) => (start(graph).has(id) ? 'start' : null)
const inShopWindow = (id: string, graph: Graph) => (shopWindow(graph).has(id) ? 'shop' : null)

/** Modules and all their static imports, except for those that are loaded later. */
function closureOf(roots: readonly string[], graph: Graph): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (module: string) => {
    if (found.has(module)) return
    found.add(module)
    for (const imported of graph.getModuleInfo(module)?.importedIds ?? [])
      if (!LATER.test(imported)) visit(imported)
  }
  for (const root of roots) visit(root)
  return found
}

/** The module graph is complete when chunks are assigned, and this runs for each module; so compute it once. */
function once(find: (graph: Graph) => ReadonlySet<string>): (graph: Graph) => ReadonlySet<string> {
  let found: ReadonlySet<string> | undefined
  return (graph) => (found ??= find(graph))
}

/** Custom media queries are scoped to one stylesheet, so add all of them to each sheet that uses one. */
function namedWindows(): Plugin {
  const windows = readFileSync(fileOf('src/ui/windows.css'), 'utf8')
  return {
    name: 'named-windows',
    enforce: 'pre',
    transform: (code, id) => (/\.css(\?|$)/.test(id) && code.includes('(--') ? code + windows : undefined),
  }
}
