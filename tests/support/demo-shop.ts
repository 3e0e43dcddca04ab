import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort, startServer } from './server-process.ts'

/** Once a run: a demo shop, filled and closed again, which each worker copies for itself. `DEMO_SHOP` names another. */
export default async function fillDemoShop(): Promise<void> {
  const folder = (process.env.DEMO_SHOP ??= templateFolder())
  if (existsSync(folder)) return
  const filling = mkdtempSync(join(tmpdir(), 'murmur-filling-'))
  const server = await startServer({ DATA_DIR: filling, PORT: await freePort(), DEMO: '1' })
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  renameSync(filling, folder)
}

/** A copy to play in; media files are shared by hard links, the database is copied. */
export function copyDemoShop(): string {
  const template = process.env.DEMO_SHOP ?? templateFolder()
  const copy = mkdtempSync(join(tmpdir(), 'murmur-shop-'))
  for (const entry of readdirSync(template)) {
    // Content-addressed files never change, so a link is as good as a copy.
    if (entry === 'media') execFileSync('cp', ['-rl', join(template, entry), join(copy, entry)])
    // With its owner: PostgreSQL opens what belongs to it.
    else if (!['lock.pid', 'lock.db'].includes(entry))
      execFileSync('cp', ['-a', join(template, entry), join(copy, entry)])
  }
  return copy
}

/** Named by what fills it, so that a change of content, import or schema fills a new one; each user of a machine has their own. */
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
      // What the files say, not when they were written: a fresh checkout needs no fresh shop.
      if (statSync(path).isFile() && !/\.test\.ts$|\/fixtures\//.test(path))
        hash.update(`${path}\n`).update(readFileSync(path))
    }
  return join(tmpdir(), `murmur-demo-${userInfo().uid}-${hash.digest('hex').slice(0, 16)}`)
}
