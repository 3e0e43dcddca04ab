import type { Remedy } from '#contract/office/remedies.ts'
import { type Permission, type Role, roleMay } from '#contract/office/permissions.ts'

type Rule = Remedy & { readonly may: Permission }

const open = (target: string, label: string, may: Permission): Rule => ({ kind: 'open', target, label, may })
const SERVER = open('/settings#server', 'See what is set', 'settings.read')

/** By the kind of a to-do entry, or the id of its check. The others can only be solved on the machine or at the provider. */
const PLACES: Readonly<Record<string, Rule>> = {
  settings: SERVER,
  provider: SERVER,
  webhooks: SERVER,
  proxy: SERVER,
  memory: SERVER,
  keys: SERVER,
  audit: { kind: 'run-job', target: 'audit', label: 'Check again', may: 'health.act' },
  mail: open('/emails', 'Look at the emails', 'emails.read'),
  price: open('/settings#plans', 'Open the plans', 'settings.read'),
  pack: open('/cards', 'Open the starter packs', 'cards.read'),
  media: open('/titles?missing=sound', 'Show titles without sound', 'titles.read'),
  'on sale': open('/titles?state=not-on-sale', 'Show what is unfinished', 'titles.read'),
  pages: open('/pages', 'Open the pages', 'pages.read'),
  name: open('/settings', 'Open the settings', 'settings.read'),
}

interface ProblemSeen {
  /** The kind of a to-do entry, or else the id of its check. */
  readonly kind: string
  readonly subject: string | null
  readonly userId: string | null
  readonly what: string
}

/** What this role can do about it with one press; null if nothing. */
export function remedyFor(role: Role, { kind, subject, userId, what }: ProblemSeen): Remedy | null {
  const order = /\bM-\d+\b/.exec(what)?.[0]
  const rule =
    kind === 'withdrawal' && subject
      ? open(`/today/withdrawals/${subject}`, 'Read it', 'orders.refund')
      : order
        ? open(`/orders/${order}`, `Open ${order}`, 'orders.read')
        : userId
          ? open(`/people/${userId}`, 'Open the person', 'people.read')
          : kind === 'job' && subject
            ? { kind: 'run-job' as const, target: subject, label: 'Run it now', may: 'health.act' as const }
            : kind === 'mail' && subject
              ? {
                  kind: 'send-email' as const,
                  target: subject,
                  label: 'Send it again',
                  may: 'emails.send' as const,
                }
              : kind === 'statement' && subject
                ? open(`/cards/bookshops/${subject}`, 'Open the bookshop', 'cards.read')
                : kind === 'backups' && /\bbackup in /.test(what)
                  ? { kind: 'back-up' as const, target: '', label: 'Back up now', may: 'health.act' as const }
                  : PLACES[kind]
  if (!rule || !roleMay(role, rule.may)) return null
  return { label: rule.label, kind: rule.kind, target: rule.target }
}
