import { writeFile } from 'node:fs/promises'
import type { Frame } from '#server/commands/frame.ts'
import { showCommand } from '#server/commands/command-line.ts'
import { progressOn } from '#server/backup/progress.ts'
import { BadSetting } from '#server/settings/bad-setting.ts'
import type { Shop } from '#server/shop.ts'
import { analyseTitle } from './analyse-title.ts'
import { selectReport, selectTitleToAnalyse } from './queries.ts'
import { reportLines } from './report.ts'

/** `titles analyse SLUG` */
export const analyseCommand = ({ show }: Frame) =>
  showCommand('analyse')
    .description(
      'Measures the loudness and silences of an audiobook, and finds where each sentence of its EPUB is spoken. Run it again after an interruption to continue with the next chapter',
    )
    .argument('<slug>', 'The slug of an audiobook (sea-song)')
    .option('--again', 'Also what is analysed already')
    .option('--report <file>', 'Writes the report to a file, too')
    .action((slug, options) =>
      show(options, async (shop) => {
        const lines = await analyse(shop, slug, options.again === true)
        if (options.report) await writeFile(options.report, `${lines.join('\n')}\n`)
        return { lines, json: await selectReport(shop.db, slug) }
      }),
    )

async function analyse(shop: Shop, slug: string, again: boolean): Promise<string[]> {
  const title = await selectTitleToAnalyse(shop.db, slug)
  if (!title) throw new BadSetting(`There is no audiobook “${slug}”. npm run titles -- find finds it.`)
  const progress = progressOn(process.stderr)
  const { db, media, config } = shop
  await analyseTitle(
    {
      db,
      media,
      again,
      dataDir: config.dataDir,
      onProgress: (what, share) => progress.share(what, share),
    },
    title,
  )
  progress.end()
  return reportLines(title.title, await selectReport(db, slug))
}
