import { join, relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { command, reading, typed } from '../../commands/command.ts'
import { BadSetting } from '../../settings/bad-setting.ts'
import { readPlace } from '../../settings/config.ts'
import type { ShopFile } from '#contract/shop-details.ts'
import { SHOP_FILE } from '../../settings/owners-details.ts'
import { draftPages } from './draft-pages.ts'
import { newShop } from './new-shop.ts'
import { PictureRefused } from './pictures.ts'
import { readShopFile } from './read-file.ts'

const USAGE = `Usage: npm run new-shop
       npm run new-shop -- --check
       npm run new-shop -- --pages

Asks what your shop is called, what it looks like and who runs it, and writes that into shop.json in DATA_DIR. A
running shop follows within a minute. Typed again it offers what you said before; you may as well edit the file.

  --check  says what is wrong with the shop.json that is there, by line
  --pages  writes drafts of the pages that the law asks for, with gaps for what only you know`

const read = reading(
  USAGE,
  { check: { type: 'boolean' }, pages: { type: 'boolean' } },
  ({ values: { check = false, pages = false }, positionals }) =>
    positionals.length > 0 || (check && pages) ? USAGE : { check, pages },
)

await command(async () => {
  const { check, pages } = typed(read)
  const { dataDir } = readPlace()
  if (check) return sayWhatIsWrong(dataDir)
  if (pages) return writePages(await fileIn(dataDir), dataDir)
  if (!process.stdin.isTTY)
    throw new BadSetting(
      `Nobody can answer here. Write ${join(dataDir, SHOP_FILE)} yourself, and --check it.`,
    )
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const ask = (question: string) => lines.question(question)
    const file = await newShop(dataDir, { say: (line) => console.log(line), ask })
    console.log(
      `\n${file.name} is written down in ${join(dataDir, SHOP_FILE)}. A running shop follows within a minute.`,
    )
    const wanted = await ask(
      '\nDrafts of the pages that the law asks for, too (terms, privacy, imprint …)? [Y/n] ',
    )
    if (/^(y(es)?)?$/i.test(wanted.trim())) await writePages(file, dataDir)
  } finally {
    lines.close()
  }
  return 0
}, [PictureRefused])

async function sayWhatIsWrong(dataDir: string): Promise<number> {
  const found = await readShopFile(dataDir)
  if (!found) throw new BadSetting(`There is no ${join(dataDir, SHOP_FILE)} yet: npm run new-shop writes it.`)
  if ('said' in found) {
    console.log(`${SHOP_FILE} is right: the shop is called ${found.said.file.name}.`)
    return 0
  }
  for (const mistake of found.mistakes) console.error(`${SHOP_FILE} ${mistake}`)
  return 1
}

async function fileIn(dataDir: string): Promise<ShopFile> {
  const found = await readShopFile(dataDir)
  if (found && 'said' in found) return found.said.file
  throw new BadSetting(
    found ? found.mistakes.map((mistake) => `${SHOP_FILE} ${mistake}`).join('\n') : 'First: npm run new-shop',
  )
}

async function writePages(file: ShopFile, dataDir: string): Promise<number> {
  const folder = join(dataDir, 'drafts')
  for (const { path, gaps, kept } of await draftPages(file, folder)) {
    const state = kept ? 'was there already and is left as it is' : 'written'
    console.log(
      `${relative('.', path)}: ${state}, ${gaps === 0 ? 'no gap' : gaps === 1 ? '1 gap' : `${gaps} gaps`}.`,
    )
  }
  console.log(`
They are drafts for a lawyer. Fill in what stands in [[double brackets]], have them read, and bring them in:
npm run import -- ${relative('.', folder)}`)
  return 0
}
