import { absolute, type Stationery } from './html.ts'
import type { Letter, Part } from './template.ts'

export function plainOf({ heading, parts, unsubscribe }: Letter, { publicUrl, details }: Stationery): string {
  const partText = (part: Part): string => {
    if ('text' in part) return part.text
    if ('title' in part) return part.title.toUpperCase()
    if ('small' in part) return part.small
    if ('quote' in part) return quoted(part.quote) + (part.by ? `\n  ${part.by}` : '')
    if ('code' in part) return `${part.label}\n\n    ${part.code}`
    if ('rows' in part) return part.rows.map(([label, value]) => `${label}: ${value}`).join('\n')
    return `${part.button}:\n${absolute(part.to, publicUrl)}`
  }
  const foot = `${details.name}\n${publicUrl}`
  const leave = unsubscribe ? [`Unsubscribe: ${absolute(unsubscribe, publicUrl)}`] : []
  return [heading, ...parts.map(partText), '--', foot, ...leave].join('\n\n')
}

const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
