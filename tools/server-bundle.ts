import { basename, dirname, join, relative, resolve } from 'node:path'
import { build, type Plugin } from 'vite'

const FOLDER = 'dist/server'
/** Packages with native code or WebAssembly, or that read files of their own folder; they are not bundled. */
const AS_PACKAGES = [
  '@node-rs/argon2',
  'bwip-js',
  'fontkit',
  'mpg123-decoder',
  'pdfkit',
  'sharp',
  'soundswallower',
  'vite',
]

/**
 * Bundles the server and its packages, with source maps: one file with what every start needs, and chunks that are
 * loaded on demand. Unbundled, a start reads 1,500 files.
 */
export async function bundleServer(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [filesOfSources()],
    ssr: { noExternal: true, external: AS_PACKAGES },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      ssr: 'server/main.ts',
      outDir: FOLDER,
      emptyOutDir: true,
      target: 'node24',
      sourcemap: true,
      rolldownOptions: {
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash:7].js',
          // The source text stays in memory, so remove whitespace. Keep names, because errors and the log show them.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
          sourcemapExcludeSources: true,
          // A small chunk that every start and other chunks share.
          codeSplitting: {
            groups: [
              {
                name: 'base',
                test: /\/(contract\/limits|server\/(settings\/(owners-\w+|bad-setting|country-codes)|db\/errors|log\/error-code|colour|format|auth\/in-process|integrations\/media\/(media-store|paths)))\.ts$/,
              },
              {
                // What the routes share with the printing of cards, which is loaded on demand; with the schema.
                name: 'cards',
                test: /\/server\/(features\/cards\/(create-cards|queries)|codes\/cards|print\/(document|table))\.ts$/,
              },
            ],
          },
        },
      },
    },
  })
}

/**
 * Rewrites `import.meta` paths, so that in the bundle they still point to the source's folder. A TypeScript file that
 * is named this way starts a process or thread and becomes a separate entry.
 */
function filesOfSources(): Plugin {
  const folders = ['server', 'importer', 'demo', 'analysis'].map((folder) => resolve(folder))
  return {
    name: 'files-of-sources',
    enforce: 'pre',
    transform(code, id) {
      if (!folders.some((folder) => id.startsWith(folder)) || !code.includes('import.meta.')) return undefined
      const fromBundle = (path: string) => relative(FOLDER, join(dirname(id), path))
      const moved = code
        .replaceAll(/new URL\('(\.[^']*)', import\.meta\.url\)/g, (_whole, path: string) => {
          if (!path.endsWith('.ts')) return `new URL('${fromBundle(path)}', import.meta.url)`
          const fileName = `${basename(path, '.ts')}.js`
          this.emitFile({ type: 'chunk', id: join(dirname(id), path), fileName })
          return `new URL('./${fileName}', import.meta.url)`
        })
        .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${fromBundle('.')}')`)
      // No line moves, so the source map stays valid.
      return { code: moved, map: null }
    },
  }
}
