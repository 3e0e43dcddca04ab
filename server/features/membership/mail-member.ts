import type { Db } from '../../db/open.ts'
import type { MailKind } from '../../integrations/mail/kinds.ts'
import { type QueuedMail, queueMail } from '../../integrations/mail/queue.ts'
import { selectMember } from './queries.ts'

type Member = NonNullable<Awaited<ReturnType<typeof selectMember>>>

/** Does nothing for a deleted account. */
export async function mailMember<const Kind extends MailKind>(
  tx: Db,
  userId: string | null,
  mail: (member: Member) => Omit<QueuedMail<Kind>, 'to'>,
): Promise<void> {
  const member = userId === null ? undefined : await selectMember(tx, userId)
  if (!member) return
  const { kind, key, data } = mail(member)
  await queueMail(tx, { to: member.email, kind, key, data })
}
