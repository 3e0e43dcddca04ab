import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { ImportUploads } from '#server/office/imports/service.ts'
import type { Importer } from '#server/office/importer.ts'
import { importCatalogue } from './catalogue/run.ts'
import { coloursFor } from './covers/palette.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { pathBelow } from './origin.ts'
import { findTitles } from './readers/find-titles.ts'
import { importTitles, type TitleReport } from './run.ts'
import { storePicture, storeSound, storeText } from './store-media.ts'
import { drawCover, storeCover } from './uploaded-media.ts'

/** What was dropped into the office, read or brought in as `npm run import` would. */
const importUploads: ImportUploads = async ({ db, media, config }, folder, { dryRun, only, onFound }) => {
  const now = () => new Date()
  const isWanted = (name: string) => only === undefined || only.has(name)
  const bring = async () => {
    const reported: Promise<void>[] = []
    for (const name of await readdir(folder).catch(() => []))
      if (['.csv', '.xml'].includes(extname(name).toLowerCase()) && isWanted(name)) {
        const counts = { created: 0, changed: 0, same: 0, refused: 0 }
        const notes = new Set<string>()
        const { broken } = await importCatalogue(
          {
            db,
            now,
            dryRun,
            onRow: ({ outcome, reason, line, notes: remarks }) => {
              counts[outcome] += 1
              if (reason && notes.size < 50) notes.add(`Line ${line}: ${reason.text}`)
              for (const { text } of remarks) if (notes.size < 50) notes.add(text)
            },
          },
          join(folder, name),
        )
        await onFound({
          folder: name,
          outcome: broken || counts.created + counts.changed + counts.same === 0 ? 'refused' : 'created',
          slug: null,
          about: name,
          details: broken
            ? [broken]
            : [
                `${counts.created} new, ${counts.changed} changed, ${counts.same} as before, ${counts.refused} refused`,
              ],
          left: [],
          notes: [...notes],
        })
      }
    const { titles, loose } = await findTitles(folder)
    for (const name of loose)
      await onFound(refusedFile(name, 'lies beside the folders of the titles; give it a folder of its own.'))
    const wanted = titles.filter((title) => isWanted(pathBelow(folder, title)))
    if (wanted.length > 0)
      await importTitles(
        {
          db,
          media,
          now,
          root: folder,
          demo: config.demo,
          memberDiscount: config.details.terms.memberDiscount,
          dryRun,
          onTitle: (report) => void reported.push(onFound(foundOf(report))),
        },
        wanted,
      )
    await Promise.all(reported)
  }
  await (dryRun ? bring() : oneAtATime(db, () => undefined, bring))
}

const foundOf = ({ folder, outcome, slug, about, said, details, left, warnings }: TitleReport) => ({
  folder,
  outcome,
  slug: slug ?? null,
  about: about ?? folder,
  details: [...details],
  left: [...(left ?? [])],
  notes: [...warnings],
  ...(said ? { said } : {}),
})

const refusedFile = (folder: string, why: string) => ({
  folder,
  outcome: 'refused' as const,
  slug: null,
  about: folder,
  details: [why],
  left: [],
  notes: [],
})

export const importer: Importer = {
  importUploads,
  storeCover,
  storePicture,
  storeSound,
  storeText,
  drawCover,
  coloursFor,
}
