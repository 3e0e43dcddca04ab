import { Command } from '@commander-js/extra-typings'
import { type Group, showCommand } from './command-line.ts'
import type { ShowOptions } from './frame.ts'
import { withShop } from './open-shop.ts'
import { wrongPrices } from '../features/membership/join.ts'
import { insertDone } from '../checks/queries.ts'
import type { Shop } from '../shop.ts'
import { type Todo, todoList } from '../checks/todo.ts'

export const todoCommand: Group = ({ run }) => {
  const done = new Command('done')
    .description('Removes an item that you have dealt with in another way. It comes back if it happens again')
    .argument('<key>')
    .action((key) => run(() => putAway(key)))
  return showCommand('todo')
    .description(
      'Lists what needs a person, with a remedy for each. An item leaves the list when it is resolved.',
    )
    .action((options) => run(() => printList(options)))
    .addCommand(done)
}

const printList = ({ json }: ShowOptions): Promise<void> =>
  withShop(async (shop) => {
    const found = await todosOf(shop)
    console.log(json ? JSON.stringify(found, null, 2) : listed(found))
  })

const putAway = (asked: string): Promise<number> =>
  withShop(async (shop) => {
    const found = await todosOf(shop)
    if (!found.some(({ key, since }) => key === asked && since !== null)) {
      console.error(`There is no ${asked} to put away. npm run todo lists what there is.`)
      return 1
    }
    await insertDone(shop.db, asked, new Date())
    console.log(`${asked} is put away.`)
    return 0
  })

function todosOf(shop: Shop): Promise<readonly Todo[]> {
  const prices = () =>
    wrongPrices(shop).catch(() => {
      console.error('Your payment provider does not answer, so its prices could not be compared.')
      return []
    })
  return todoList(shop, shop.config.payments ? prices : async () => [])()
}

function listed(found: readonly Todo[]): string {
  if (found.length === 0) return 'Nothing needs you.'
  return found
    .map(({ key, since, what, remedy }) =>
      [
        `${key}${since ? `, since ${since.toISOString().slice(0, 16).replace('T', ' ')} UTC` : ''}`,
        what,
        `→ ${remedy}`,
      ].join('\n  '),
    )
    .join('\n\n')
}
