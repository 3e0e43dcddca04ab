import type { QueryClient } from '@tanstack/react-query'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { amount, toMinor } from '#format/money.ts'
import { bookOf } from './model.ts'
import { putIntoBag } from './mutations.ts'
import { reloadBag } from './queries.ts'
import { bagHolder } from './store.ts'
import { forgetAdded, forgetRemoved, ownerOf, readWaiting } from './waiting.ts'

/**
 * Sends the additions and removals made while the server could not be reached, oldest first. Each is
 * forgotten only when the server has answered it. Safe to repeat, and to run in several tabs.
 * @returns a message about changed prices, unavailable titles and owned titles; empty if there are none
 */
export async function sendWaiting(queryClient: QueryClient): Promise<string> {
  const owner = ownerOf(bagHolder())
  const isTheirs = (of: string | null) => of === null || of === owner
  const { added, removed } = readWaiting()
  const words: string[] = []
  let sent = 0
  try {
    for (const { uuid } of removed.filter((item) => isTheirs(item.owner))) {
      await call('DELETE /api/cart_items/{id}', { params: { id: uuid }, background: true }).catch(
        unlessRefused,
      )
      forgetRemoved(uuid)
      sent += 1
    }
    for (const title of added.filter((each) => isTheirs(each.owner))) {
      const item = await putIntoBag(title.book, title.gift).catch(unlessRefused)
      // Another user has logged in meanwhile and must not send the rest.
      if (ownerOf(bagHolder()) !== owner) break
      forgetAdded(title)
      sent += 1
      if (item instanceof NetProblem)
        words.push(
          `${title.book.title} isn’t in your bag: ${sentence(item.description || 'it can’t be bought just now')}`,
        )
      else if (bookOf(item)?.inLibrary)
        words.push(`You already own ${title.book.title}, so it’s now in your bag as a gift.`)
      else if (!item.available) words.push(`${title.book.title} can’t be bought just now.`)
      else if (toMinor(item.price) !== toMinor(title.price))
        words.push(
          `${title.book.title} is ${amount(toMinor(item.price))} now. It was ${amount(toMinor(title.price))} when you added it.`,
        )
    }
  } catch (problem) {
    if (!(problem instanceof NetProblem)) throw problem
  }
  if (sent > 0) await reloadBag(queryClient)
  return words.join(' ')
}

/**
 * Count refusals and server errors as answers, so that one title can't block the checkout. Time-outs, 401 and
 * 429 throw.
 */
function unlessRefused(problem: unknown): NetProblem {
  const isAnswer =
    problem instanceof NetProblem && !problem.unreachable && problem.status !== 401 && problem.status !== 429
  if (isAnswer) return problem
  throw problem
}

const sentence = (words: string) => `${words.replace(/\.$/, '')}.`
