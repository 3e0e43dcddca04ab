import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { minify } from 'terser'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { iconWeights } from './tools/icon-weights.ts'
import { namedWindows } from './tools/named-windows.ts'

/** Vite leaves the scripts that index.html contains as they are. Every page carries them. */
const minifiedInlineScripts: Plugin = {
  name: 'minified-inline-scripts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    async handler(html) {
      const scripts = [...html.matchAll(/(?<=<script>).*?(?=<\/script>)/gs)].map(([script]) => script)
      const short = await Promise.all(scripts.map((script) => minify(script, { ecma: 2020 })))
      return scripts.reduce((page, script, at) => page.replace(script, () => short[at]!.code!), html)
    },
  },
}

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
    minifiedInlineScripts,
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
              globIgnores: [
                'media/**',
                'office/**',
                'assets/office-*',
                '**/*latin-ext*',
                'icons/**',
                'favicon.svg',
              ],
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
            codeSplitting: { groups: CHUNKS },
          },
        },
      },
  // Bundle React with the server, so that rendering does not depend on the installed version.
  ...(isSsrBuild && command === 'build'
    ? { ssr: { noExternal: true as const }, define: { 'process.env.NODE_ENV': '"production"' } }
    : {}),
}))

/**
 * A group is one chunk of the matching modules and all their static imports, without what an earlier group has. The
 * bundler divides everything else. Measured in November 2026: without groups the home page requests 44 files of 142.8 kB
 * instead of 2 of 131.9 kB, and a book page 92 files instead of 6 (decision 13).
 */
const CHUNKS = [
  // The entry, and the modules that nearly every screen starts with.
  {
    name: 'first',
    test: /\/src\/(main\.tsx|app\/page\/PageHead\.tsx|features\/catalogue\/model\.ts|ui\/(Button|Cover)\.tsx)$/,
    priority: 4,
  },
  // Most visits start here: its chunk must not wait for code that only other screens share.
  { name: 'home', test: /\/src\/routes\/index\.tsx\?tsr-split/, priority: 3 },
  // The screens of the shop window, between which visitors navigate: what home shares with the others; below, what book
  // pages, lists and journal pages add. In one chunk, home fetched 30 kB that it doesn't use.
  {
    name: 'shop',
    test: /\/(HomePanels|StandardFooter|BookCards|ItemCard|NewsletterForm|Checkbox|AppBlock|PageTop|Fold|Chip|Empty|use-views|use-write)\.tsx?$|-catalogue\/catalogue\.module\.css$/,
    minShareCount: 2,
    priority: 2,
  },
  // Loaded by every page right after it has loaded; with the small modules that the player, the databases and a book's
  // page share, which would otherwise fetch the book's chunk for one of them.
  {
    name: 'start',
    test: /\/(app\/start\/(follow-owner|follow-contact|after-first-paint)|page\/announce-screens|bag\/follow|storage\/open|ui\/(ProgressLine|carry-cover)|format\/chapter|csr\/(Pause|Play|BookOpen)(\.es)?)\.(tsx?|js)$/,
    priority: 1.5,
  },
  { name: 'book', test: /\/BookScreen\.tsx$/, minShareCount: 2, priority: 1.2 },
  { name: 'listing', test: /\/ListingScreen\.tsx$/, minShareCount: 2, priority: 1.1 },
  { name: 'journal', test: /\/(EditorialScreen|EditorialList)\.tsx$/, minShareCount: 2, priority: 1 },
]
