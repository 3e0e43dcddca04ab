import { basename, dirname, join, relative, resolve } from 'node:path'
import { build, type Plugin } from 'vite'

const FOLDER = 'dist/server'
/** Native code, WebAssembly, and what reads files that lie beside its own: they stay in their packages. */
const AS_PACKAGES = ['@node-rs/argon2', 'bwip-js', 'fontkit', 'pdfkit', 'sharp', 'vite']

/**
 * Makes one program of the server and its packages, with source maps: what every start needs in one file, and parts that
 * are loaded when they are asked for. From sources a start reads 1,500 files.
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
          // The text of a program stays in memory. Names stay too: errors and the log say them.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
          sourcemapExcludeSources: true,
          // Small, and read by every start as well as by parts that come later.
          codeSplitting: {
            groups: [
              {
                name: 'base',
                test: /\/(contract\/limits|server\/(settings\/owners-\w+|colour|auth\/in-process))\.ts$/,
              },
            ],
          },
        },
      },
    },
  })
}

/**
 * A source that names a file beside itself by `import.meta` means its own folder, in the bundle too. If that file is
 * TypeScript, it begins a process or a thread and becomes a program of its own.
 */
function filesOfSources(): Plugin {
  const folders = ['server', 'importer', 'demo'].map((folder) => resolve(folder))
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
      // No line moved, so the map of the source holds.
      return { code: moved, map: null }
    },
  }
}
