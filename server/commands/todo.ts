import { command, reading, typed, withShop } from './run-command.ts'
import { wrongPrices } from '../features/membership/join-eligibility.ts'
import { insertDone } from '../checks/queries.ts'
import { type Todo, todoList } from '../checks/todo.ts'

const USAGE = `Usage: npm run todo [-- --json]
       npm run todo -- done KEY

Lists what needs a person, with a remedy for each. An item leaves the list when it is resolved; done removes one that
you have dealt with in another way. It comes back if it happens again.

  --json  for scripts`

type Asked =
  | { readonly verb: 'list'; readonly json: boolean }
  | { readonly verb: 'done'; readonly key: string }

const read = reading(USAGE, { json: { type: 'boolean' } }, ({ values, positionals }): Asked | string => {
  const [verb, key, ...more] = positionals
  if (verb === undefined) return { verb: 'list', json: values.json === true }
  return verb === 'done' && key !== undefined && more.length === 0 ? { verb, key } : USAGE
})

await command(async () => {
  const asked = typed(read)
  return withShop(async (shop) => {
    const prices = () =>
      wrongPrices(shop).catch(() => {
        console.error('Your payment provider does not answer, so its prices could not be compared.')
        return []
      })
    const found = await todoList(shop, prices)()
    if (asked.verb === 'list') {
      console.log(asked.json ? JSON.stringify(found, null, 2) : listed(found))
      return 0
    }
    if (!found.some(({ key, since }) => key === asked.key && since !== null)) {
      console.error(`There is no ${asked.key} to put away. npm run todo lists what there is.`)
      return 1
    }
    await insertDone(shop.db, asked.key, new Date())
    console.log(`${asked.key} is put away.`)
    return 0
  })
})

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
