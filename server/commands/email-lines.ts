import type { DataOf, MailKind } from '../integrations/mail/kinds.ts'
import { renderMail } from '../integrations/mail/render.ts'
import type { Config } from '../settings/config.ts'

interface Mail<Kind extends MailKind> {
  readonly to: string
  readonly kind: Kind
  readonly data: DataOf<Kind>
}

export function letterLines<const Kind extends MailKind>(
  { to, kind, data }: Mail<Kind>,
  config: Config,
): string[] {
  const mail = renderMail({ id: 'preview', kind, recipient: to, data }, config)
  if (!mail) return []
  return linesAsRead(to, mail)
}

/** Without the footer that all emails share. */
export function linesAsRead(
  to: string,
  { subject, text: whole }: { readonly subject: string; readonly text: string },
): string[] {
  const [text = ''] = whole.split('\n\n--\n')
  return [`${to} reads “${subject}”:`, ...text.split('\n').map((line) => `    ${line}`.trimEnd())]
}
