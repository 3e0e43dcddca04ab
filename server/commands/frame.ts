import { userInfo } from 'node:os'
import { createInterface } from 'node:readline/promises'
import type { Shop } from '../shop.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { minute } from '../settings/days.ts'
import { notFound, refused } from '../http/http-errors.ts'
import { insertEntry, type LogbookEntry, noteOutcome, selectEntries } from '../db/logbook-queries.ts'

export interface Shown {
  readonly lines: readonly string[]
  readonly json: unknown
}

/** Nothing is changed before `carryOut`. */
export interface Change {
  /** One sentence per line, including the emails that people get. */
  readonly will: readonly string[]
  /** The logbook's name for the thing: `order M-100012`. */
  readonly about: string
  readonly userId?: string | null
  /** For the logbook, without personal data. */
  readonly what: string
  readonly carryOut: () => Promise<Shown>
}

export interface ShowOptions {
  readonly json?: true | undefined
}

export interface ChangeOptions extends ShowOptions {
  readonly because?: string | undefined
  readonly as?: string | undefined
  readonly yes?: true | undefined
  readonly dryRun?: true | undefined
}

export interface Terminal {
  readonly say: (line: string) => void
  readonly ask: ((question: string) => Promise<string>) | null
  readonly user: () => string
}

export interface Surroundings {
  readonly withShop: (work: (shop: Shop) => Promise<void>) => Promise<void>
  readonly terminal: Terminal
}

const THIS_MACHINE: Surroundings = {
  // Loaded here, so that `--help` does not wait for it.
  withShop: async (work) => (await import('./open-shop.ts')).withShop(work),
  terminal: {
    say: (line) => console.log(line),
    ask: process.stdin.isTTY
      ? async (question) => {
          const lines = createInterface({ input: process.stdin, output: process.stdout })
          try {
            return await lines.question(question)
          } finally {
            lines.close()
          }
        }
      : null,
    user: () => userInfo().username,
  },
}

export class Frame {
  exitCode = 0
  /** For the logbook: `orders refund`. */
  typed = ''
  readonly #withShop: Surroundings['withShop']
  readonly #terminal: Terminal

  constructor({ withShop, terminal }: Surroundings = THIS_MACHINE) {
    this.#withShop = withShop
    this.#terminal = terminal
  }

  /** `work` returns the exit code. Errors that are `explained` are printed without a stack. */
  readonly run = async (
    work: () => Promise<number | void>,
    explained: readonly (new (...given: never[]) => Error)[] = [],
  ): Promise<void> => {
    try {
      this.exitCode = (await work()) ?? 0
    } catch (error) {
      if (error instanceof Error && explained.some((kind) => error instanceof kind))
        throw new BadSetting(error.message, { cause: error })
      throw error
    }
  }

  readonly print = (work: (shop: Shop) => Promise<readonly string[]>): Promise<void> =>
    this.show({}, async (shop) => ({ lines: await work(shop), json: null }))

  readonly show = ({ json }: ShowOptions, work: (shop: Shop) => Promise<Shown>): Promise<void> =>
    this.#withShop(async (shop) => {
      const shown = await work(shop)
      if (json) this.#sayJson(shown.json)
      else for (const line of shown.lines) this.#terminal.say(line)
    })

  /** Asks, and writes who and why into the logbook. Exits with 1 if it was not done. */
  readonly change = (options: ChangeOptions, work: (shop: Shop) => Promise<Change>): Promise<void> =>
    this.#withShop(async (shop) => {
      const change = await work(shop)
      const isDone = await this.#isConfirmed(change, options)
      if (!isDone) return
      const { lines, json } = await this.#carryOut(shop, change, options)
      if (options.json) this.#sayJson({ will: change.will, done: true, result: json })
      else for (const line of lines) this.#terminal.say(line)
    })

  async #isConfirmed({ will }: Change, { because, yes, json, dryRun }: ChangeOptions): Promise<boolean> {
    const { say, ask } = this.#terminal
    const notDone = (line: string) => (json ? this.#sayJson({ will, done: false }) : say(line))
    if (!json) for (const line of will) say(line)
    if (dryRun) {
      notDone('Dry run: nothing was changed.')
      return false
    }
    if (!because?.trim())
      throw new BadSetting(
        'Nothing was done yet. Say why, with --because "…": the reason is stored in the logbook.',
      )
    if (yes || (ask && !json && /^y(es)?$/i.test((await ask('Do it? [y/N] ')).trim()))) return true
    notDone(ask ? 'Nothing was changed.' : 'Nothing was changed. Add --yes to do it.')
    this.exitCode = 1
    return false
  }

  async #carryOut(
    shop: Shop,
    { about, userId = null, what, carryOut }: Change,
    { because = '', as }: ChangeOptions,
  ): Promise<Shown> {
    const by = as?.trim() || this.#terminal.user()
    const entry = { at: shop.now(), by, command: this.typed, about, userId, because: because.trim(), what }
    const id = await insertEntry(shop.db, entry)
    try {
      const shown = await carryOut()
      await noteOutcome(shop.db, id, 'done')
      return shown
    } catch (error) {
      await noteOutcome(shop.db, id, 'failed')
      throw error
    }
  }

  #sayJson(json: unknown): void {
    this.#terminal.say(JSON.stringify(json, null, 2))
  }
}

export async function doneSoFar(
  { db, config }: Pick<Shop, 'db' | 'config'>,
  of: { readonly about?: string; readonly userId?: string },
): Promise<{ lines: string[]; json: unknown }> {
  const entries = await selectEntries(db, of)
  return {
    lines:
      entries.length === 0
        ? []
        : ['', 'Logbook', ...entries.map((entry) => entryLine(entry, config.shopZone))],
    json: entries.map(({ at, by, command, because, what, outcome }) => ({
      at,
      by,
      command,
      because,
      what,
      outcome,
    })),
  }
}

const entryLine = ({ at, by, command, because, what, outcome }: LogbookEntry, zone: string): string =>
  `  ${minute(at, zone)}  ${by}, ${command}: ${what}${because && `, because ${because}`}${outcome === 'done' ? '' : ' (not finished)'}`

/** The row whose id begins with what was typed. `select` returns up to two rows. */
export async function rowByIdPrefix<Row>(
  noun: string,
  typed: string,
  select: (prefix: string) => Promise<Row[]>,
): Promise<Row> {
  const [row, other] = /^[0-9a-f-]{6,36}$/i.test(typed) ? await select(typed.toLowerCase()) : []
  if (!row) throw notFound(`There is no ${noun} ${typed}. Type at least six letters of its ID.`)
  if (other) throw refused(`More than one ${noun} begins with ${typed}. Type more of its ID.`)
  return row
}
