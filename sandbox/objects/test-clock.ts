import type Stripe from 'stripe'
import { DAY } from '../calendar.ts'
import { newId } from '../world.ts'

export function testClock(
  created: number,
  frozenTime: number,
  name: string | null,
): Stripe.TestHelpers.TestClock {
  return {
    id: newId('clock'),
    object: 'test_helpers.test_clock',
    created,
    deletes_after: created + 30 * DAY,
    frozen_time: frozenTime,
    livemode: false,
    name,
    status: 'ready',
    status_details: {},
  }
}
