import { createStore, del, get, set, update, type UseStore } from 'idb-keyval'
import { answered } from './wait.ts'

/**
 * Single values of this device, independent of the user: readable by the page and by the service worker,
 * which has no local storage. Small on purpose: the first page includes this, and not Dexie.
 */
interface Values {
  deviceId: string
  /** A copy of local storage for the worker; `at` tells which copy is newer. */
  tokens: { token: string; refreshToken: string | undefined; at: number }
  rememberedUser: RememberedUser | null
  /** The user whose started titles the home page shows; the worker then opens it from the device. */
  started: string | null
  /** Refresh tokens of sessions that were logged out offline; they are sent to the server later. */
  pendingLogouts: readonly string[]
  /** Users whose data is to be removed from this device; listed until a later start finds it removed. */
  removals: readonly string[]
  /** Time without an answer from the server at the last check, and when that check was (`away.ts`). */
  away: { elapsedMs: number; wallMs: number; pageMs: number; page: string }
}

/** The user this device belongs to until log-out, even after the session has expired (OP-18). */
export interface RememberedUser {
  uuid: string
  firstName: string
  fullName: string
  /** For the log-in after an expired session; users stored by an earlier release have none. */
  email?: string
}

let store: UseStore | undefined
/** Opened at first use: this module is also loaded without IndexedDB (rendering on the server). */
const values = () => (store ??= createStore('murmur-device', 'values'))

export const readValue = <K extends keyof Values>(key: K) => reopened(() => get<Values[K]>(key, values()))
export const writeValue = <K extends keyof Values>(key: K, value: Values[K]) =>
  reopened(() => set(key, value, values()))
export const removeValue = (key: keyof Values) => reopened(() => del(key, values()))

/**
 * The id of this browser on this device, used in the listening history. Created once; log-outs don't change
 * it.
 */
export async function deviceId(): Promise<string> {
  let id = ''
  await reopened(() => update<string>('deviceId', (kept) => (id = kept ?? crypto.randomUUID()), values()))
  return id
}

/** WebKit drops the connection of a page that was in the background (trap 13): open once more and retry. */
async function reopened<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await answered(work)
  } catch (failure) {
    if (!(failure instanceof DOMException) || failure.name !== 'InvalidStateError') throw failure
    store = undefined
    return answered(work)
  }
}
