import type { TitleTheme } from './title-theme.ts'

/** The house's own title colours (`tokens.css`, docs/design.md, Screens), or those that follow from an owner's accent. */
export const HOUSE: TitleTheme = {
  '--tb': 'var(--house)',
  '--tc': 'var(--house-box)',
  '--tt': 'var(--house-words)',
  '--tm': 'var(--house-quiet)',
}
