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
      // A screen's loader travels with its component: the first view carries one screen's, not every screen's.
      codeSplittingOptions: {
        defaultBehavior: [['loader', 'component'], ['errorComponent'], ['notFoundComponent']],
      },
      quoteStyle: 'single',
      semicolons: false,
    }),
    laterParts(),
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
              // The bare shell, every chunk and the fonts: an installed app opens any screen without a network.
              globPatterns: ['**/*.{js,css,html,svg,woff2}'],
              globIgnores: ['media/**', '**/*latin-ext*', 'icons/**', 'favicon.svg'],
            },
          }),
        ]),
  ],
  // The store's shim is for older React; ours has the hook itself.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  // For `@custom-media`. `light-dark()` becomes variables that browsers without it understand too.
  css: { transformer: 'lightningcss', lightningcss: { drafts: { customMedia: true } } },
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
          // `pure_getters` drops reads whose value nobody uses. Measured in November 2026: 0.5 kB of the home page's
          // 135 kB, gzipped, which would be over its budget (tests/codebase/budget.test.ts) without it. It is safe as
          // long as no read alone does something: where a layout or a getter is to be forced, use the value.
          compress: { passes: 3, keep_fargs: false, pure_getters: true },
        },
        rolldownOptions: {
          output: {
            // What a part is called stands in every file that imports it; the manifest knows it by its source.
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
  // The server's bundle carries its own React, so that it renders the same whatever is installed beside it.
  ...(isSsrBuild && command === 'build'
    ? { ssr: { noExternal: true as const }, define: { 'process.env.NODE_ENV': '"production"' } }
    : {}),
}))

type ModuleInfo = { readonly importedIds: readonly string[] } | null
type Graph = { getModuleInfo(id: string): ModuleInfo }

/** The entry, and the parts that nearly every screen begins with. */
const FIRST = [
  './src/main.tsx',
  './src/app/page/PageHead.tsx',
  './src/features/catalogue/model.ts',
  './src/ui/AnchorButton.tsx',
  './src/ui/Cover.tsx',
  './src/ui/LinkButton.tsx',
]
/** Named by their libraries' front files, and used by later screens only. */
const LATER =
  /\/(queriesObserver|infiniteQueryObserver|use(Suspense)?Queries|useInfiniteQuery)\.js$|\.later\.tsx$/

/** Written here, or an icon. */
const OWN = /\/(src|contract)\/|@phosphor-icons/
/** Where most visits begin: what it needs at once does not wait for what others share. */
const HOME = './src/routes/index.tsx?tsr-split=component---loader'
/** The screens of the shop window, which a visitor walks between. */
const WINDOW = [
  './src/screens/home/HomePanels.later.tsx',
  './src/app/footer/StandardFooter.later.tsx',
  './src/screens/catalogue/ListingScreen.tsx',
  './src/screens/catalogue/BookScreen.tsx',
  './src/screens/editorial/EditorialScreen.tsx',
  './src/screens/editorial/EditorialList.tsx',
]

/** What every page fetches by itself once it has loaded, whichever it is. */
const START = ['./src/app/start/follow-owner.ts', './src/app/start/follow-worker.ts']

const fileOf = (root: string) => join(import.meta.dirname, root)

/**
 * Everything that the entry imports outright is one file, instead of fifty that several screens happen to
 * share: it is always fetched together, and compresses better whole.
 */
const firstView = once((graph) => closureOf(FIRST.map(fileOf), graph))

const home = once((graph) => closureOf([...FIRST, HOME].map(fileOf), graph))

/**
 * What two screens of the shop window share is one file as well: each file more costs a slow phone a request. Only
 * our own parts: what stands on a library is fetched with the first thing that needs the library.
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

/** Modules and all that they import outright, but for what comes later. */
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

/** The graph is whole when files are divided, and asked about each module. */
function once(find: (graph: Graph) => ReadonlySet<string>): (graph: Graph) => ReadonlySet<string> {
  let found: ReadonlySet<string> | undefined
  return (graph) => (found ??= find(graph))
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

/** A custom media query reaches as far as its sheet: each sheet that asks for a window by name is given all of them. */
function namedWindows(): Plugin {
  const windows = readFileSync(fileOf('src/ui/windows.css'), 'utf8')
  return {
    name: 'named-windows',
    enforce: 'pre',
    transform: (code, id) => (/\.css(\?|$)/.test(id) && code.includes('(--') ? code + windows : undefined),
  }
}
