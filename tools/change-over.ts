import { setTimeout as pause } from 'node:timers/promises'

/** A machine has two slots for servers. The other slot is empty or has the previous release. */
export const SLOTS = ['0', '1'] as const
export type Slot = (typeof SLOTS)[number]

export interface Supervisor {
  isRunning(slot: Slot): Promise<boolean>
  start(slot: Slot): Promise<void>
  /** Resolves when the server and all its processes have ended. */
  end(slot: Slot): Promise<void>
  isReady(slot: Slot): Promise<boolean>
  /** Directs proxies to this server. Connections to the other one stay open. */
  lead(slot: Slot): Promise<void>
  /** Makes this the server that the machine starts at boot. */
  keep(slot: Slot): Promise<void>
}

interface ChangeOver {
  readonly supervisor: Supervisor
  /** Prepares the free slot. Returns false if it has no release to return to. */
  readonly prepare: (slot: Slot) => Promise<boolean>
  /**
   * False for the embedded database, which only one server can use at a time: the shop is then offline for some
   * seconds.
   */
  readonly sharesDatabase: boolean
  /**
   * Called when the old server has ended, for an embedded database: converts it for the next release. Returns a
   * function that undoes that.
   */
  readonly takeDatabaseAlong?: (slot: Slot) => Promise<() => Promise<void>>
  /**
   * How long proxies need to notice a change. Both servers stay ready for that time, otherwise for a moment none would
   * be.
   */
  readonly noticeMs: number
  readonly say: (sentence: string) => void
  readonly patienceMs?: number
}

export class NotChangedOver extends Error {}

const LOOK_AGAIN_MS = 250

/**
 * Starts the release in the free slot, waits until it is ready, directs proxies to it, and ends the other server once
 * it gets no new visitors.
 *
 * @throws `NotChangedOver` if the release does not become ready; the old server then continues to serve
 */
export async function changeOver({
  supervisor,
  prepare,
  sharesDatabase,
  takeDatabaseAlong = async () => async () => {},
  noticeMs,
  say,
  patienceMs = 180_000,
}: ChangeOver): Promise<void> {
  const running: Slot[] = []
  for (const slot of SLOTS) if (await supervisor.isRunning(slot)) running.push(slot)
  if (running.length === 2)
    throw new NotChangedOver(
      'Servers are running in both slots. `readlink slots/serving` shows which of them gets the requests. Stop the other one (systemctl stop), and try again.',
    )
  const [old] = running
  const next = old === '0' ? '1' : '0'
  if (!(await prepare(next))) throw new NotChangedOver(`Slot ${next} has no release to roll back to.`)
  let bringBack = async () => {}
  if (old && !sharesDatabase) {
    await supervisor.end(old)
    try {
      bringBack = await takeDatabaseAlong(old)
    } catch (error) {
      await supervisor.start(old)
      throw error
    }
  }
  // systemctl prints why a unit cannot be started.
  const isStarted = await supervisor.start(next).then(
    () => true,
    () => false,
  )
  if (isStarted) say(`Slot ${next} is starting.`)
  const outcome = isStarted ? await becomesReady(supervisor, next, patienceMs) : 'died'
  if (outcome !== 'ready') {
    await supervisor.end(next)
    await bringBack()
    if (old && !sharesDatabase) await supervisor.start(old)
    const what = outcome === 'died' ? 'exited during its start' : 'did not become ready and was stopped'
    throw new NotChangedOver(
      `Slot ${next} ${what}. See its log for the reason. ${old ? `Slot ${old} continues to serve.` : ''}`.trim(),
    )
  }
  await supervisor.lead(next)
  await supervisor.keep(next)
  say(`Slot ${next} is serving.`)
  if (!old || !sharesDatabase) return
  await pause(noticeMs)
  await supervisor.end(old)
  say(`Slot ${old} has stopped. To roll back: npm run upgrade -- --back`)
}

async function becomesReady(
  supervisor: Supervisor,
  slot: Slot,
  patienceMs: number,
): Promise<'ready' | 'died' | 'late'> {
  const late = performance.now() + patienceMs
  while (performance.now() < late) {
    if (await supervisor.isReady(slot)) return 'ready'
    // systemd restarts the unit after a second, so it would look as if it were still starting.
    if (!(await supervisor.isRunning(slot))) return 'died'
    await pause(LOOK_AGAIN_MS)
  }
  return 'late'
}
