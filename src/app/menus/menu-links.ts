import type { ShellLink } from './shell-link.ts'

/** A line of the menu as the server keeps it: the owner writes addresses as the browser shows them. */
export interface MenuLine {
  readonly title: string
  readonly url: string
  readonly style: string | null
  readonly group: string
}

export interface MenuGroup {
  readonly title: string
  readonly links: readonly ShellLink[]
}

/** The groups of the menu in the order in which they first appear (HDR-04); their lines keep their own. */
export function menuGroups(lines: readonly MenuLine[]): MenuGroup[] {
  const groups = new Map<string, ShellLink[]>()
  for (const line of lines) {
    const links = groups.get(line.group) ?? []
    links.push(linkOf(line))
    groups.set(line.group, links)
  }
  return [...groups].map(([title, links]) => ({ title, links }))
}

export function linkOf({
  title,
  url,
  style,
}: Pick<MenuLine, 'title' | 'url'> & Partial<MenuLine>): ShellLink {
  const [to = '/', search] = url.split('?', 2)
  return {
    label: title,
    to,
    ...(search ? { search: Object.fromEntries(new URLSearchParams(search)) } : {}),
    ...(style === 'Italic' ? { italic: true } : {}),
  }
}
