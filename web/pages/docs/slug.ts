// In charge of the name that a heading is linked by: the one that code hosts give it, so that a link into a paper leads
// to the same place there and here.

export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}
