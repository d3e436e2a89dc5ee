// In charge of how long a call took, as exactly as is of interest.

export function durationText(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`
}
