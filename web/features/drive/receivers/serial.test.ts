import { afterEach, expect, test, vi } from 'vitest';
import { ReceiverError } from './receiver.ts';
import { SERIAL } from './serial.ts';

/** Behaves like a serial port that may be lost. */
class FakePort extends EventTarget {
  readable: ReadableStream<Uint8Array> | null = null;
  isReachable = true;
  /** Opening waits for it. */
  delay: Promise<void> | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;

  async open(): Promise<void> {
    await this.delay;
    if (!this.isReachable) throw new DOMException('Failed to open serial port.', 'NetworkError');
    this.readable = new ReadableStream({ start: (controller) => void (this.#controller = controller) });
  }

  close(): Promise<void> {
    this.readable = null;
    return Promise.resolve();
  }

  send(...bytes: number[]): void {
    this.#controller?.enqueue(Uint8Array.from(bytes));
  }

  lose(): void {
    this.isReachable = false;
    this.#controller?.error(new DOMException('The device has been lost.', 'NetworkError'));
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
});

async function open(requestPort: () => Promise<FakePort>) {
  vi.stubGlobal('navigator', { serial: { requestPort } });
  return await SERIAL.open();
}

test('a serial receiver that was lost is there again by itself, and silent once it is left', async () => {
  const port = new FakePort();
  const receiver = await open(() => Promise.resolve(port));
  const received: number[] = [];
  const states: string[] = [];
  await receiver?.start({
    onChunk: ({ bytes }) => received.push(...bytes),
    onConnection: (state) => states.push(state),
  });
  port.send(1, 2);
  await expect.poll(() => received).toEqual([1, 2]);
  port.lose();
  await expect.poll(() => states).toEqual(['lost']);
  port.isReachable = true;
  await expect.poll(() => states).toEqual(['lost', 'connected']);
  port.send(3);
  await expect.poll(() => received).toEqual([1, 2, 3]);
  await receiver?.stop();
  expect(port.readable).toBeNull();
  expect(states).toEqual(['lost', 'connected']);
});

test('a port that is open again after its receiver was left is closed', async () => {
  const port = new FakePort();
  const receiver = await open(() => Promise.resolve(port));
  const states: string[] = [];
  await receiver?.start({ onChunk: () => undefined, onConnection: (state) => states.push(state) });
  const opening: { goOn?: () => void } = {};
  port.delay = new Promise((resolve) => (opening.goOn = resolve));
  port.lose();
  await expect.poll(() => states).toEqual(['lost']);
  port.isReachable = true;
  const close = vi.spyOn(port, 'close');
  await receiver?.stop();
  opening.goOn?.();
  await expect.poll(() => close.mock.calls.length).toBe(2);
  expect(port.readable).toBeNull();
  expect(states).toEqual(['lost']);
});

const refuse = (name: string) => () => Promise.reject(new DOMException('No.', name));

test('a port that cannot be opened, a closed list and a page without leave end in a sentence or nothing', async () => {
  const port = new FakePort();
  port.isReachable = false;
  const receiver = await open(() => Promise.resolve(port));
  const events = { onChunk: () => undefined, onConnection: () => undefined };
  await expect(receiver?.start(events)).rejects.toThrow('The receiver does not answer.');
  expect(await open(refuse('NotFoundError'))).toBeNull();
  await expect(open(refuse('SecurityError'))).rejects.toThrow(ReceiverError);
});
