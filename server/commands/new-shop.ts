import { Command, Option } from '@commander-js/extra-typings'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Group } from './command-line.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { readPlace } from '../settings/config.ts'
import type { ShopFile } from '#contract/shop-details.ts'
import { SHOP_FILE } from '../settings/owners-details.ts'
import { draftPages } from '../features/shop-details/draft-pages.ts'
import { newShop, shopOf, QUESTIONS } from '../features/shop-details/new-shop.ts'
import { PictureRefused } from '../features/shop-details/pictures.ts'
import { readShopFile } from '../features/shop-details/read-file.ts'

export const newShopCommand: Group = ({ run }) => {
  const command = new Command('new-shop')
    .description(
      'Asks for your shop’s name, its looks and its seller, and writes them to shop.json in DATA_DIR. A running shop applies the file within a minute. Run it again to change an answer, or edit the file.',
    )
    .option('--check', 'Lists the mistakes in the existing shop.json, by line')
    .option('--pages', 'Writes drafts of the pages that the law requires, with gaps for what only you know')
    .action(({ check: isCheck = false, pages: isPages = false }) => {
      const given = answersOf(command.opts())
      if (isCheck && (isPages || Object.keys(given).length > 0))
        command.error('error: --check goes with no other option')
      return run(() => newShopFrom({ isCheck, isPages, given }), [PictureRefused])
    })
  for (const { option, asks } of QUESTIONS) command.addOption(answerOption(option, asks))
  return command
}

const answerOption = (option: string, asks: string) =>
  new Option(`--${option} <answer>`, asks).helpGroup(
    'With any of these options it asks nothing, for scripts. Those that you leave out stay as they are; a minus sign (--icon -) removes an answer:',
  )

function answersOf(options: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    QUESTIONS.flatMap(({ option, asks }) => {
      const answer = options[answerOption(option, asks).attributeName()]
      return typeof answer === 'string' ? [[option, answer]] : []
    }),
  )
}

interface Asked {
  readonly isCheck: boolean
  readonly isPages: boolean
  readonly given: Readonly<Record<string, string>>
}

async function newShopFrom({ isCheck, isPages, given }: Asked): Promise<number> {
  const { dataDir } = readPlace()
  if (isCheck) return sayWhatIsWrong(dataDir)
  if (Object.keys(given).length > 0) {
    const file = await shopOf(dataDir, given)
    console.log(
      `${file.name} is stored in ${join(dataDir, SHOP_FILE)}. A running shop applies it within a minute.`,
    )
    return isPages ? writePages(file, dataDir) : 0
  }
  if (isPages) return writePages(await fileIn(dataDir), dataDir)
  if (!process.stdin.isTTY)
    throw new BadSetting(
      `This is no terminal, so nobody can answer. Use options such as --name (see --help), or write ${join(dataDir, SHOP_FILE)} and --check it.`,
    )
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const ask = (question: string) => lines.question(question)
    const file = await newShop(dataDir, { say: (line) => console.log(line), ask })
    console.log(
      `\n${file.name} is stored in ${join(dataDir, SHOP_FILE)}. A running shop applies it within a minute.`,
    )
    const wanted = await ask(
      '\nDrafts of the pages that the law asks for, too (terms, privacy, imprint …)? [Y/n] ',
    )
    if (/^(y(es)?)?$/i.test(wanted.trim())) await writePages(file, dataDir)
  } finally {
    lines.close()
  }
  return 0
}

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
