import type { Limit } from '../../rate-limiting/rate-limit.ts'
import { queueUnasked } from '../../rate-limiting/unrequested-mail.ts'
import { eachRow } from '../../db/in-pages.ts'
import { forEachDue } from '../../due-work/for-each-due.ts'
import { coversOf } from '../../integrations/mail/cover-queries.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { notFound } from '../../http/http-errors.ts'
import {
  deleteNotification,
  type DueNotification,
  insertNotification,
  selectDueNotifications,
} from './queries.ts'

/** Far more addresses than one person enters. */
export const NOTIFICATION_REQUESTS: Limit = { name: 'series notice from', most: 20, windowSeconds: 3600 }
export const CONFIRMATIONS: Limit = { name: 'series link from', most: 60, windowSeconds: 3600 }

/** Double opt-in: a stranger may have typed the address. @throws 404 for an unknown series */
export async function requestNextBookEmail(
  { db, now }: Pick<Shop, 'db' | 'now'>,
  slug: string,
  email: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const asked = await insertNotification(tx, slug, email, now())
    if (!asked) throw notFound()
    const { token, title } = asked
    if (token)
      await queueUnasked(
        tx,
        {
          to: email,
          kind: 'series_confirm',
          key: `series_confirm:${token}:${now().toISOString().slice(0, 10)}`,
          data: { token, slug, series: title },
        },
        now(),
      )
  })
}

/** Deletes the request in the transaction that queues its email, so the job can be interrupted anywhere. */
export async function sendNextBookEmails(
  { db, log }: Pick<Shop, 'db' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const due = eachRow(
    (page) => selectDueNotifications(db, page),
    ({ token }) => token,
  )
  await forEachDue(due, (notification) => sendNextBookEmail(db, notification), {
    log,
    signal,
    problem: 'an email about the next title of a series was not queued',
    about: ({ slug }) => ({ slug }),
  })
}

const sendNextBookEmail = (
  db: Shop['db'],
  { token, email, series, bookId, title, format, slug, number }: DueNotification,
) =>
  db.transaction(async (tx) => {
    if (!(await deleteNotification(tx, token))) return
    const path = `/${format === 'audio_book' ? 'audiobooks' : 'ebooks'}/${slug}`
    await queueMail(tx, {
      to: email,
      kind: 'series_next',
      key: `series_next:${token}`,
      data: {
        series,
        title,
        path,
        covers: await coversOf(tx, [bookId]),
        ...(number === null ? {} : { number }),
      },
    })
  })
