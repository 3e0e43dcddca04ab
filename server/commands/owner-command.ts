import { userInfo } from 'node:os'
import { createInterface } from 'node:readline/promises'
import type { ParseArgsOptionsConfig } from 'node:util'
import type { Shop } from '../shop.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { command, reading, typed, withShop } from './run-command.ts'
import { minute } from '../settings/days.ts'
import { insertEntry, type LogbookEntry, noteOutcome, selectEntries } from '../db/logbook-queries.ts'

export interface Shown {
  readonly lines: readonly string[]
  readonly json: unknown
}

/** A proposed change. Nothing is changed before `carryOut`. */
export interface Change {
  /** What will happen, including the emails that people get: one sentence per line. */
  readonly will: readonly string[]
  /** The logbook's name for the thing: `order M-100012`. */
  readonly about: string
  readonly userId?: string | null
  /** For the logbook, without personal data. */
  readonly what: string
  readonly carryOut: () => Promise<Shown>
}

export interface Typed {
  readonly words: readonly string[]
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
}

/** Returns undefined if the arguments do not match the usage. */
export type Verb = (shop: Shop, typed: Typed) => Promise<Shown | Change | undefined> | undefined

export interface OwnersCommand {
  /** `orders` of `npm run orders`. */
  readonly name: string
  readonly usage: string
  readonly options?: ParseArgsOptionsConfig
  /** The verb if none is given, for commands with a single verb. */
  readonly withoutVerb?: string
  readonly verbs: Readonly<Record<string, Verb>>
}

const OPTIONS = {
  because: { type: 'string' },
  as: { type: 'string' },
  yes: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig

const FOOT = `

  --json     for scripts
  --because  the reason, required for changes; it is stored in the logbook
  --as       your name in the logbook; by default your user name on this machine
  --yes      doesn’t ask for confirmation
  --dry-run  prints what would change, and changes nothing`

/**
 * Runs an owner command: it prints something, or prints what it would change, asks, writes who and why into the
 * logbook, and does it.
 */
export const ownersCommand = (given: OwnersCommand): Promise<void> =>
  command(async () => {
    const asked = typed(readOwners(given))
    return withShop((shop) => answer(shop, given, asked))
  })

export interface Asked extends Typed {
  readonly verb: string
  readonly because: string | undefined
  readonly as: string | undefined
  readonly yes: boolean
  readonly dryRun: boolean
  readonly json: boolean
}

export const readOwners = ({ usage, options = {}, verbs, withoutVerb }: OwnersCommand) =>
  reading(usage + FOOT, { ...options, ...OPTIONS }, ({ values, positionals }): Asked | string => {
    const [verb = '', ...words] = withoutVerb ? [withoutVerb, ...positionals] : positionals
    if (!Object.hasOwn(verbs, verb)) return usage + FOOT
    const { because, as, yes = false, json = false, 'dry-run': dryRun = false, ...others } = values
    return { verb, words, values: others, because, as, yes, json, dryRun }
  })

export interface Terminal {
  readonly say: (line: string) => void
  /** Null if there is no terminal to ask at. */
  readonly ask: ((question: string) => Promise<string>) | null
  readonly user: () => string
}

const TERMINAL: Terminal = {
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
}

/** Returns the exit code: 1 if a change was requested and not made. */
export async function answer(
  shop: Shop,
  { name, usage, verbs }: OwnersCommand,
  asked: Asked,
  terminal = TERMINAL,
): Promise<number> {
  const { verb, json } = asked
  const found = await verbs[verb]!(shop, asked)
  if (!found) throw new BadSetting(usage + FOOT)
  if ('carryOut' in found) return change(shop, found, { ...asked, command: `${name} ${verb}` }, terminal)
  show(found, json, terminal)
  return 0
}

async function change(
  shop: Shop,
  { will, about, userId = null, what, carryOut }: Change,
  { because, as, yes, json, dryRun, command: typedCommand }: Asked & { readonly command: string },
  { say, ask, user }: Terminal,
): Promise<number> {
  if (!json) for (const line of will) say(line)
  if (dryRun) {
    say(json ? JSON.stringify({ will, done: false }, null, 2) : 'Dry run: nothing was changed.')
    return 0
  }
  const reason = because?.trim()
  if (!reason)
    throw new BadSetting(
      'Nothing was done yet. Say why, with --because "…": the reason is stored in the logbook.',
    )
  if (!yes) {
    const isAgreed = ask && !json && /^y(es)?$/i.test((await ask('Do it? [y/N] ')).trim())
    if (!isAgreed) {
      if (json) say(JSON.stringify({ will, done: false }, null, 2))
      else say(ask ? 'Nothing was changed.' : 'Nothing was changed. Add --yes to do it.')
      return 1
    }
  }
  const by = as?.trim() || user()
  const entry = { at: shop.now(), by, command: typedCommand, about, userId, because: reason, what }
  const id = await insertEntry(shop.db, entry)
  try {
    const { lines, json: done } = await carryOut()
    await noteOutcome(shop.db, id, 'done')
    if (json) say(JSON.stringify({ will, done: true, result: done }, null, 2))
    else for (const line of lines) say(line)
    return 0
  } catch (error) {
    await noteOutcome(shop.db, id, 'failed')
    throw error
  }
}

function show({ lines, json }: Shown, isJson: boolean, { say }: Terminal): void {
  if (isJson) say(JSON.stringify(json, null, 2))
  else for (const line of lines) say(line)
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
    json: entries.map(({ at, by, command: typedCommand, because, what, outcome }) => ({
      at,
      by,
      command: typedCommand,
      because,
      what,
      outcome,
    })),
  }
}

const entryLine = (
  { at, by, command: typedCommand, because, what, outcome }: LogbookEntry,
  zone: string,
): string =>
  `  ${minute(at, zone)}  ${by}, ${typedCommand}: ${what}${because && `, because ${because}`}${outcome === 'done' ? '' : ' (not finished)'}`

export function textOf({ values }: Typed, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}
