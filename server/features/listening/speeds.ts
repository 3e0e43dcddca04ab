import type { ChosenSpeed } from '#contract/listening.ts'
import { isUuid } from '../../http/schemas.ts'
import { notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { publishTransient } from '../feed/service.ts'
import { writeSpeed } from './queries.ts'
import { heardAtMs } from './place-order.ts'
import { bookIri } from './serializers.ts'

export interface SentSpeed {
  readonly speed: number
  readonly deviceId?: string
  readonly chosenAt?: string
  readonly agoSeconds?: number
}

/**
 * The speed chosen last wins.
 * @throws 404 if the row is not the listener's own
 * @returns the current speed
 */
export async function chooseSpeed(
  { db, now, log }: Pick<Shop, 'db' | 'now' | 'log'>,
  userId: string,
  id: string,
  { speed, deviceId, chosenAt, agoSeconds }: SentSpeed,
): Promise<ChosenSpeed> {
  const clock = {
    ...(chosenAt === undefined ? {} : { heardAt: chosenAt }),
    ...(agoSeconds === undefined ? {} : { agoSeconds }),
  }
  const at = new Date(heardAtMs(clock, now().getTime()))
  const holds = isUuid(id) ? await writeSpeed(db, { id, userId, speed, chosenAt: at }) : undefined
  if (!holds) throw notFound()
  const chosen: ChosenSpeed = {
    audioBook: bookIri(holds.slug),
    speed: holds.speed ?? speed,
    chosenAt: (holds.chosenAt ?? at).toISOString(),
    deviceId: holds.isTaken ? (deviceId ?? null) : null,
  }
  if (holds.isTaken)
    await publishTransient(db, [{ userId, data: { type: 'speed', speed: chosen } }]).catch((error: unknown) =>
      log.warn({ err: error }, 'a speed could not be announced'),
    )
  return chosen
}
