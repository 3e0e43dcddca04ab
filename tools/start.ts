import { spawn } from 'node:child_process'
import { rmSync, statSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from './run.ts'
import { SERVER_ARGUMENTS, SERVER_ENVIRONMENT } from './server-command.ts'

/** `npm start`: builds what is missing or out of date, then runs the server in this terminal. */
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    'Murmur needs Node 24. On Linux and Windows `npm ci` brings it; elsewhere install it and run npm start again.',
  )
  process.exit(1)
}
const argv = process.argv.slice(2)
if (argv.includes('--fresh') && !process.env.DATABASE_URL)
  rmSync(resolve(process.env.DATA_DIR ?? './var'), { recursive: true, force: true })
if (newestSource() > builtAt()) {
  console.log('Building the shop …')
  await run(process.execPath, ['tools/build.ts'])
}

const words = argv.filter((word) => word !== '--fresh')
const server = spawn(process.execPath, [...SERVER_ARGUMENTS, ...words], {
  stdio: 'inherit',
  env: { ...SERVER_ENVIRONMENT, ...process.env },
})
// Ctrl-C reaches the whole group by itself; other signals are handed on.
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => server.kill(signal))
process.on('SIGINT', () => undefined)
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))

function builtAt(): number {
  try {
    return statSync('dist/built.json').mtimeMs
  } catch {
    return 0
  }
}

function newestSource(): number {
  const single = ['index.html', 'vite.config.ts', 'manifest.webmanifest', 'package-lock.json']
  const folders = ['src', 'contract', 'sw', 'public']
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  return Math.max(
    ...[...single, ...files].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0),
  )
}
