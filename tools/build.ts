import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { promisify } from 'node:util'
import { build } from 'vite'
import { writeAsAscii } from './ascii.ts'
import { bundleServer } from './server-bundle.ts'

const CLIENT = 'dist/client'

step('the app and its service worker')
await build({ logLevel: 'warn' })
copyFileSync('manifest.webmanifest', join(CLIENT, 'manifest.webmanifest'))
step('the office')
await build({ logLevel: 'warn', configFile: 'office/vite.config.ts' })
step('the pages that the server writes')
await build({ logLevel: 'warn', build: { ssr: 'src/entry-server.tsx' } })
writeFileSync('dist/ssr/route-files.json', JSON.stringify(routeFiles()))
step('the server')
await bundleServer()
globSync('dist/{server,ssr}/**/*.js').forEach(writeAsAscii)
step('compressed copies of every file')
await compressAssets()
writeFileSync(
  'dist/built.json',
  JSON.stringify({ version: version(), commit: commit(), builtAt: new Date().toISOString() }),
)

function step(name: string): void {
  if (process.send) process.send(name)
  else console.log(`Building ${name} …`)
}

function version(): unknown {
  return JSON.parse(readFileSync('package.json', 'utf8')).version
}

/** Null in a folder without git history. */
function commit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}

/** Maps route ids to source files, so that a server-rendered page can link their styles and chunks. */
function routeFiles(): Record<string, string> {
  const files = readdirSync('src/routes', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.tsx') && !/\.test\./.test(file),
  )
  return Object.fromEntries(
    files.flatMap((file) => {
      const id = /createFileRoute\(\s*'([^']+)'/.exec(readFileSync(join('src/routes', file), 'utf8'))?.[1]
      return id ? [[id, `src/routes/${file}`]] : []
    }),
  )
}

async function compressAssets(): Promise<void> {
  const files = readdirSync(CLIENT, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:js|css|svg|json|webmanifest|txt)$/.test(file),
  )
  for (const file of files) {
    const path = join(CLIENT, file)
    const bytes = readFileSync(path)
    if (bytes.length < 1_000) continue
    const [brotli, zipped] = await Promise.all([
      promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
      promisify(gzip)(bytes, { level: 9 }),
    ])
    writeFileSync(`${path}.br`, brotli)
    writeFileSync(`${path}.gz`, zipped)
  }
}
