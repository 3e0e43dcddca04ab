import { readFileSync } from 'node:fs'

interface MenuEntry {
  readonly group: string
  readonly title: string
  readonly url: string
  readonly style?: string
}

interface DemoFiles {
  'menus.json': { main: MenuEntry[]; search: MenuEntry[] }
  'home.json': {
    panels: { section: string; title: string; weight: number; visible: boolean }[]
    introText: Record<'visitor' | 'user' | 'member', string>
    staffPicks: { title: string; visible: boolean }[]
    [name: string]: unknown
  }
  'categories.json': { name: string; visible: boolean; weight: number }[]
}

export const demoFile = <Name extends keyof DemoFiles>(name: Name): DemoFiles[Name] =>
  JSON.parse(readFileSync(`content/demo/${name}`, 'utf8')) as DemoFiles[Name]
