import type { Shop } from '../../shop.ts'
import { isRefusedForGood, type Post, smtpPost, written } from './post.ts'
import { MAIL_QUEUED } from './queue.ts'
import { giveUp, markSent, postpone, takeDueMail } from './rows.ts'

/** Longer than any mail server takes to say yes. */
const TAKEN_SECONDS = 180
/** A mail server may be away for a while; each wait is double the one before, up to six hours. */
const FIRST_WAIT_SECONDS = 60
const LONGEST_WAIT_SECONDS = 6 * 3600
/** About three days. */
const ATTEMPTS = 20
const LOOK_EVERY_MS = 30_000

type SenderShop = Pick<Shop, 'db' | 'config' | 'log'>

/**
 * Sends everything that is due, one after the other; answers how many were sent. Safe on several instances at
 * once. A mail whose server died between sending and noting it goes out again, under the same Message-ID.
 */
export async function sendDueMail(shop: SenderShop, post: Post): Promise<number> {
  const { db, config, log } = shop
  let sent = 0
  for (;;) {
    const row = await takeDueMail(db, TAKEN_SECONDS)
    if (!row) return sent
    const mail = written(row, config)
    // A newer release queued it and will send it.
    if (!mail) continue
    try {
      await post.send(mail)
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number }
      // Never the message: it names the recipient.
      log.warn({ mail: row.id, kind: row.kind, code, responseCode }, 'a mail was not taken')
      if (isRefusedForGood(error) || row.attempts >= ATTEMPTS) await giveUp(db, row.id)
      else {
        await postpone(
          db,
          row.id,
          Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** (row.attempts - 1)),
        )
        // The others wait for the same server.
        if (responseCode === undefined) return sent
      }
      continue
    }
    await markSent(db, row.id, config.demo)
    sent += 1
  }
}

/** Sends mail until it is told to stop. Without a mail server the demo keeps it, and any other shop lets it wait. */
export async function startSendingMail(
  shop: SenderShop & Pick<Shop, 'database'>,
): Promise<() => Promise<void>> {
  const { smtpUrl, mailFrom } = shop.config
  if (!smtpUrl) return async () => undefined
  const post = smtpPost({ smtpUrl, mailFrom })
  let running: Promise<unknown> | undefined
  let again = false
  const look = () => {
    if (running) return void (again = true)
    running = sendDueMail(shop, post)
      .catch((error: unknown) => shop.log.error({ err: error }, 'mail could not be sent'))
      .finally(() => {
        running = undefined
        if (again) {
          again = false
          look()
        }
      })
  }
  const unlisten = await shop.database.listen(MAIL_QUEUED, look, look)
  const timer = setInterval(look, LOOK_EVERY_MS)
  timer.unref()
  look()
  return async () => {
    clearInterval(timer)
    await unlisten()
    again = false
    await running
    post.close()
  }
}
