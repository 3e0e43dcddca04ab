import { Command } from '@commander-js/extra-typings'
import { sizeInWords } from '#server/backup/progress.ts'
import type { Group } from '#server/commands/command-line.ts'
import { withDatabase } from '#server/commands/open-shop.ts'
import { counted, table } from '#server/print/table.ts'
import { type StoredMedia, StoreUnavailable } from '#server/integrations/media/media-store.ts'
import { openMedia } from '#server/integrations/media/open-media.ts'
import { oneAtATime, sayWaiting } from './one-at-a-time.ts'
import { removeUnnamed, unnamedMedia } from './sweep.ts'

export const sweepCommand: Group = ({ run }) =>
  new Command('sweep')
    .description(
      'Lists sound, e-book and picture files that the shop no longer uses: of deleted titles, replaced sound and covers, and leftovers of interrupted imports.',
    )
    .option('--yes', 'Deletes them, except files younger than a day')
    .action(({ yes: isSure = false }) => run(() => sweep(isSure), [StoreUnavailable]))

const SHOWN = 20

async function sweep(isSure: boolean): Promise<void> {
  await withDatabase(async ({ db, config }) => {
    const media = openMedia(config)
    // Until an import has written its rows, nothing refers to a file that it stored, so wait for running imports.
    const look = () => unnamedMedia(db, media, new Date())
    const { old, young } = isSure ? await oneAtATime(db, sayWaiting, look) : await look()
    for (const line of linesOf(old)) console.log(line)
    if (young.length > 0)
      console.log(`${files(young)} more may belong to an import, and can be removed in a day.`)
    if (old.length === 0) return console.log('Nothing is left to remove.')
    if (!isSure) return console.log(`Nothing names ${files(old)}. npm run media:sweep -- --yes removes them.`)
    const removed = await oneAtATime(db, sayWaiting, () => removeUnnamed(db, media, old))
    console.log(`${counted(removed, 'file')} removed.`)
  })
}

function files(found: readonly StoredMedia[]): string {
  return `${counted(found.length, 'file')} (${sizeInWords(found.reduce((sum, { bytes }) => sum + bytes, 0))})`
}

function linesOf(found: readonly StoredMedia[]): string[] {
  const lines = table(
    found
      .slice(0, SHOWN)
      .map(({ path, bytes, changedAt }) => [path, sizeInWords(bytes), changedAt.toISOString().slice(0, 10)]),
  )
  return found.length > SHOWN ? [...lines, `… and ${found.length - SHOWN} others`] : lines
}
