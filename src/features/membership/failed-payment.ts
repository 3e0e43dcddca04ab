import { useEffect } from 'react'
import { localStore } from '#storage/page-storage.ts'
import type { User } from '#contract/account.ts'
import { useSession } from '#session/store.ts'

/**
 * A failed membership payment that this device knows of, with the height of its line: a script in index.html keeps that
 * much space free before the first paint. Without a network the line shows what is stored.
 */
export type FailedPayment = User['subscriptions'][number]

/** The key and the form are known to index.html. */
const KEY = 'owes'
interface Stored {
  readonly failed: FailedPayment
  readonly width: number
  readonly height: number
}

export function storeFailedPayment(failed: FailedPayment, height: number): void {
  const stored: Stored = { failed, width: window.innerWidth, height }
  localStore.setItem(KEY, JSON.stringify(stored))
  document.documentElement.dataset.owes = ''
  document.documentElement.style.setProperty('--owes', `${height}px`)
}

function forgetFailedPayment(): void {
  localStore.removeItem(KEY)
  delete document.documentElement.dataset.owes
  document.documentElement.style.removeProperty('--owes')
}

export function useFailedPayment(): FailedPayment | undefined {
  const ready = useSession((state) => state.ready)
  const isUser = useSession((state) => state.status === 'user')
  const user = useSession((state) => state.user)
  const failed = user
    ? user.subscriptions?.find(({ paymentFailed }) => paymentFailed)
    : isUser
      ? readFailedPayment()
      : undefined
  const isOver = ready && !failed && (!isUser || user !== null)
  useEffect(() => {
    if (isOver) forgetFailedPayment()
  }, [isOver])
  return failed
}

let read: FailedPayment | undefined

/** The same object for the same text, since it is compared by identity. */
function readFailedPayment(): FailedPayment | undefined {
  try {
    const stored = localStore.getItem(KEY)
    if (!stored) return (read = undefined)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this device
    const { failed } = JSON.parse(stored) as Stored
    if (JSON.stringify(read) !== JSON.stringify(failed)) read = failed
    return read
  } catch {
    return undefined
  }
}
