/** A running server reports these figures of itself at one moment. */
export type Figures = {
  residentBytes: number;
  heapBytes: number;
  openFiles: number;
  connections: number;
  loopDelayP99Seconds: number;
};

/** Asks the metrics of a server. */
export async function readFigures(metricsUrl: string): Promise<Figures> {
  return parseFigures(await (await fetch(metricsUrl)).text());
}

/** Reads the text of the metrics. @throws where one is not in it: a figure that is missing must not look like one that does not grow */
export function parseFigures(text: string): Figures {
  const lines = text.split('\n');
  const sum = (name: string): number => {
    const found = lines.filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
    if (found.length === 0) throw new Error(`The metrics have no ${name}.`);
    return found.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0);
  };
  return {
    residentBytes: sum('process_resident_memory_bytes'),
    heapBytes: sum('nodejs_heap_size_used_bytes'),
    openFiles: sum('process_open_fds'),
    connections: sum('pitboard_database_connections'),
    loopDelayP99Seconds: sum('nodejs_eventloop_lag_p99_seconds'),
  };
}

/** The middle value of a figure. */
export function medianOf(samples: readonly Figures[], name: keyof Figures): number {
  const values = samples.map((figures) => figures[name]).toSorted((a, b) => a - b);
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The least value of a figure: of a heap, what is left after a collection. */
export function leastOf(samples: readonly Figures[], name: keyof Figures): number {
  return Math.min(...samples.map((figures) => figures[name]));
}
