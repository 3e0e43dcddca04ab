import { fork, spawn } from 'node:child_process'
import { rmSync, statSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { paymentsOfDemoFile } from '../server/commands/payments-of-demo.ts'
import { isDemo } from '../server/settings/demo-mode.ts'
import { WEBHOOK_PATH } from '#server/integrations/stripe/events.ts'
import { onNpmGone } from './npm-parent.ts'
import { SandboxDidNotStart, sandboxEnvironment, startSandbox } from './sandbox.ts'
import { SERVER_ARGUMENTS, SERVER_ENVIRONMENT, SOURCE_ARGUMENTS } from './server-command.ts'

/**
 * `npm start`: builds what is missing or out of date, then runs the server in this terminal, in demo mode together with
 * a payment sandbox. `npm run dev` runs it from the current sources.
 */
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    'Murmur needs Node 24. On Linux and Windows `npm ci` brings it; elsewhere install it and run npm start again.',
  )
  process.exit(1)
}
let end = (): void => process.exit(1)
onNpmGone(() => end())
const argv = process.argv.slice(2)
if (argv.includes('--fresh') && !process.env.DATABASE_URL)
  rmSync(resolve(process.env.DATA_DIR ?? './var'), { recursive: true, force: true })
const isDevelopment = argv.includes('--dev')
if (!isDevelopment && newestSource() > builtAt()) {
  console.log('Building the shop, which takes half a minute the first time:')
  await build()
}

const words = argv.filter((word) => word !== '--fresh')
const server = spawn(
  process.execPath,
  [...(isDevelopment ? ['--watch', ...SOURCE_ARGUMENTS] : SERVER_ARGUMENTS), ...words],
  {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...SERVER_ENVIRONMENT, ...process.env, ...(await paymentsOfDemo().catch(endPlainly)) },
  },
)
// The server ends when its IPC channel closes, also if this process is killed. A closed terminal or a signal to the
// process group reaches the server too, which must not count it as a second signal: that one ends it at once. `node
// --watch` forwards signals.
end = () => {
  if (isDevelopment) server.kill('SIGTERM')
  else if (server.connected) server.disconnect()
}
for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => (server.connected ? end() : server.kill(signal)))
// Ctrl-C reaches the whole process group.
process.on('SIGINT', () => undefined)
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))

/** Prints the steps of the build. The output of its tools is shown only if it fails. */
function build(): Promise<void> {
  const child = fork('tools/build.ts', { silent: true })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => said.push(String(text)))
  child.on('message', (step: unknown) => console.log(`  ${String(step)} …`))
  return new Promise((resolve) =>
    child.on('exit', (code) => {
      if (code === 0) return resolve()
      console.error(said.join(''))
      console.error('The shop could not be built; the reason stands above.')
      process.exit(1)
    }),
  )
}

/** Starts a sandbox for a demo without Stripe keys and returns its environment; the sandbox ends with this process. */
async function paymentsOfDemo(): Promise<Record<string, string>> {
  if (!isDemo(process.env) || process.env.STRIPE_SECRET_KEY) return {}
  const { DATA_DIR = './var', HOST = '127.0.0.1', PORT = '3000' } = process.env
  const sandbox = await startSandbox({
    folder: resolve(DATA_DIR, 'sandbox'),
    webhookUrl: `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}${WEBHOOK_PATH}`,
  })
  sandbox.child.unref()
  sandbox.child.channel?.unref()
  // Keys usually mean a real shop, so say that this is still the demo.
  const environment = { ...sandboxEnvironment(sandbox), DEMO: '1' }
  writeFileSync(paymentsOfDemoFile(resolve(DATA_DIR)), JSON.stringify(environment), { mode: 0o600 })
  return environment
}

/** Prints one sentence for errors that the user can fix; other errors keep their stack. */
function endPlainly(error: unknown): never {
  if (error instanceof SandboxDidNotStart) console.error(error.message)
  else if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
    console.error('The disk is full. Make room and run npm start again.')
  else throw error
  process.exit(1)
}

function builtAt(): number {
  try {
    return statSync('dist/built.json').mtimeMs
  } catch {
    return 0
  }
}

function newestSource(): number {
  const single = ['index.html', 'manifest.webmanifest', 'vite.config.ts', 'package-lock.json']
  const folders = ['src', 'public', 'contract', 'office', 'server', 'sw']
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  return Math.max(
    ...[...single, ...files].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0),
  )
}
