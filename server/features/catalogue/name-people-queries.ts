import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../db/open.ts'
import { lockImports } from './vocabulary-queries.ts'
import { fullName, slugOf } from './names.ts'

const PEOPLE_PER_TRANSACTION = 500

/** The slug never changes, because other sites link to it. Safe to run twice and concurrently. */
export async function namePeople(db: Database): Promise<void> {
  while ((await db.transaction(nameSome)) === PEOPLE_PER_TRANSACTION);
}

interface Nameless extends Record<string, unknown> {
  id: number
  first_name: string
  last_name: string
}

async function nameSome(tx: Transaction): Promise<number> {
  await lockImports(tx)
  const { rows } = await tx.execute<Nameless>(
    sql`select id, first_name, last_name from people where slug is null order by id limit ${PEOPLE_PER_TRANSACTION}`,
  )
  const slugs = new Map<string, number>()
  let waiting = rows.map(({ id, first_name, last_name }) => ({
    id,
    name: slugOf(fullName({ firstName: first_name, lastName: last_name })) || `person-${id}`,
  }))
  for (let figure = 1; waiting.length > 0; figure++) {
    const wanted = ({ name }: { name: string }) => (figure === 1 ? name : `${name.slice(0, 112)}-${figure}`)
    const taken = await takenAmong(tx, waiting.map(wanted))
    const left: typeof waiting = []
    for (const person of waiting) {
      const slug = wanted(person)
      if (taken.has(slug) || slugs.has(slug)) left.push(person)
      else slugs.set(slug, person.id)
    }
    waiting = left
  }
  await tx.execute(sql`
    update people p set slug = n.slug
    from unnest(${sql.param([...slugs.values()])}::int[], ${sql.param([...slugs.keys()])}::text[]) n(id, slug)
    where p.id = n.id`)
  return rows.length
}

async function takenAmong(tx: Transaction, slugs: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.execute<{ slug: string }>(
    sql`select slug from people where slug = any(${sql.param([...slugs])}::text[])`,
  )
  return new Set(rows.map(({ slug }) => slug))
}
