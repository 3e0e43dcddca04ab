import { answer, type OwnersCommand, readOwners } from '#server/commands/owner-command.ts'
import { BadSetting } from '#server/settings/bad-setting.ts'
import type { Shop } from '#server/shop.ts'

export interface Answered {
  readonly code: number
  /** All that was said, line by line. */
  readonly said: string
}

/** What a command of the owner says and does, typed at a terminal where nobody answers unless `reply` does. */
export async function typed(
  shop: Shop,
  command: OwnersCommand,
  argv: readonly string[],
  { reply = null }: { readonly reply?: string | null } = {},
): Promise<Answered> {
  const asked = readOwners(command)(argv)
  if (typeof asked === 'string') throw new BadSetting(asked)
  const lines: string[] = []
  const code = await answer(shop, command, asked, {
    say: (line) => void lines.push(line),
    ask: reply === null ? null : async (question) => (lines.push(question), reply),
    user: () => 'una',
  })
  return { code, said: lines.join('\n') }
}
