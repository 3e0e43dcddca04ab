import { type Group, parse } from '#server/commands/command-line.ts'
import { Frame } from '#server/commands/frame.ts'
import type { Shop } from '#server/shop.ts'

export interface Answered {
  readonly code: number
  /** The whole output, line by line. */
  readonly said: string
}

/** Runs an owner's command in a terminal without input, except for what `reply` gives; returns its output. */
export async function typed(
  shop: Shop,
  group: Group,
  argv: readonly string[],
  { reply = null }: { readonly reply?: string | null } = {},
): Promise<Answered> {
  const lines: string[] = []
  const frame = new Frame({
    withShop: (work) => work(shop),
    terminal: {
      say: (line) => void lines.push(line),
      ask: reply === null ? null : async (question) => (lines.push(question), reply),
      user: () => 'una',
    },
  })
  const code = await parse(group(frame), argv, frame)
  return { code, said: lines.join('\n') }
}
