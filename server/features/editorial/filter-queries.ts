import { type SQL, sql } from 'drizzle-orm'
import type { EditorialFilter } from './filter.ts'

export function condition({ kinds, types, featured, special, ids }: EditorialFilter): SQL {
  const parts = [sql`e.published`]
  if (kinds?.length) parts.push(sql`e.kind = any(${sql.param([...kinds])}::text[])`)
  if (types?.length) parts.push(sql`e.type_id = any(${sql.param([...types])}::int[])`)
  if (featured) parts.push(sql`e.featured`)
  if (special) parts.push(sql`e.special`)
  if (ids) parts.push(sql`e.id = any(${sql.param([...ids])}::int[])`)
  return sql.join(parts, sql` and `)
}
