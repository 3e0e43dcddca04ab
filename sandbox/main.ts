import { refuseLiveKeys } from './keys.ts'
import { openSandbox } from './server.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Make room and start again.',
  EDQUOT: 'the disk quota is used up. Make room and start again.',
  EROFS: 'the disk is read-only.',
  EACCES: 'it may not be written to.',
  EPERM: 'it may not be written to.',
}

/**
 * The sandbox as a separate process. `SANDBOX_DIR` is the folder of its state, `SANDBOX_PORT` its port (0 chooses one,
 * which stays the same later), `SANDBOX_WEBHOOK_URL` receives its events.
 */
const { env } = process
refuseLiveKeys([env.STRIPE_SECRET_KEY, env.STRIPE_PUBLISHABLE_KEY])
const folder = env.SANDBOX_DIR ?? 'var/sandbox'
const sandbox = open()
const origin = await sandbox.listen(Number(env.SANDBOX_PORT ?? 0))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)))
// The sandbox ends with its parent process, however that ends.
process.once('disconnect', () => void sandbox.close().then(() => process.exit(0)))
process.send?.({ origin, keys: sandbox.keys })
if (!process.send)
  console.log(`The payment sandbox listens at ${origin}; nothing that is paid there moves money.`)

/** If the disk cannot be written to, print one sentence instead of a stack. */
function open() {
  try {
    return openSandbox({
      folder,
      ...(env.SANDBOX_WEBHOOK_URL ? { webhookUrl: env.SANDBOX_WEBHOOK_URL } : {}),
    })
  } catch (error) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an error of the file system has a code
    const { code } = error as NodeJS.ErrnoException
    const reason = REASONS[code ?? '']
    if (reason === undefined) throw error
    console.error(`The payment sandbox can’t write to ${folder}: ${reason}`)
    return process.exit(1)
  }
}
