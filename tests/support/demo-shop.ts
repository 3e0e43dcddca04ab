import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort, startServer } from './server-process.ts'

/** Fills a demo shop once per run and closes it; each worker copies it. `DEMO_SHOP` selects an existing one. */
export default async function fillDemoShop(): Promise<void> {
  const folder = (process.env.DEMO_SHOP ??= templateFolder())
  if (existsSync(folder)) return
  const filling = mkdtempSync(join(tmpdir(), 'murmur-filling-'))
  const server = await startServer({ DATA_DIR: filling, PORT: await freePort(), DEMO: '1' })
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  renameSync(filling, folder)
}

/** Copies the demo shop: media files as hard links, the database in full. */
export function copyDemoShop(): string {
  const template = process.env.DEMO_SHOP ?? templateFolder()
  const copy = mkdtempSync(join(tmpdir(), 'murmur-shop-'))
  for (const entry of readdirSync(template)) {
    // Files are content-addressed and never change, so a link is as good as a copy.
    if (entry === 'media') execFileSync('cp', ['-rl', join(template, entry), join(copy, entry)])
    // Keep the file owner: PostgreSQL refuses to open folders of other users.
    else if (!['lock.pid', 'lock.db'].includes(entry))
      execFileSync('cp', ['-a', join(template, entry), join(copy, entry)])
  }
  return copy
}

/** Named by a hash of its inputs, so that a change of content, import or schema makes a new one. One per OS user. */
function templateFolder(): string {
  const hash = createHash('sha256')
  for (const folder of [
    'content/demo',
    'importer',
    'demo',
    'server/db/migrations',
    'server/features/library',
  ])
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      const path = join(folder, file)
      // Hash the content rather than the mtime, so that a fresh checkout reuses the shop.
      if (statSync(path).isFile() && !/\.test\.ts$|\/fixtures\//.test(path))
        hash.update(`${path}\n`).update(readFileSync(path))
    }
  return join(tmpdir(), `murmur-demo-${userInfo().uid}-${hash.digest('hex').slice(0, 16)}`)
}
