import { readFileSync } from "node:fs";

interface Config {
  readonly name: string;
  readonly ports: number[];
}

export function merge(base: Config, patch: any): Config {
  return { ...base, ...patch };
}

export function mergeTyped(base: Config, patch: Partial<Config>): Config {
  return { ...base, ...patch };
}

export const pluck = async (name: string): Promise<any> => {
  return JSON.parse(readFileSync(name, "utf8"));
};

export const pluckUnknown = async (name: string): Promise<unknown> => {
  return JSON.parse(readFileSync(name, "utf8"));
};

export function firstPort(config: unknown): number {
  return (config as any).ports[0];
}

export function firstPortTyped(config: Config): number {
  return (config as Readonly<Config>).ports[0] ?? 0;
}

export function asConfig(text: string): Config {
  return text as unknown as Config;
}

export function asRecord(config: Config): Record<string, unknown> {
  return config as Record<string, unknown>;
}

const limits = new Map<string, number>([["default", 10]]);

export function limitOf(name: string): number {
  return limits.get(name)! * 2;
}

export function limitOrDefault(name: string): number {
  return (limits.get(name) ?? 10) * 2;
}

export function portNamed(configs: Config[], name: string): number {
  return configs.find((config) => config.name === name)!.ports[0];
}

export function portOrNone(configs: Config[], name: string): number | undefined {
  return configs.find((config) => config.name === name)?.ports[0];
}

export function majorOf(version: string): string {
  return /^(\d+)\./.exec(version)![1];
}

export function majorOrNone(version: string): string | undefined {
  return /^(\d+)\./.exec(version)?.[1];
}

export function sameName(left: Config, right: { name: string | number }): boolean {
  return left.name == right.name;
}

export function sameNameStrictly(left: Config, right: Config | null): boolean {
  return right != null && left.name === right.name;
}

export function check(config: Config): void {
  if (config.ports.length === 0) {
    throw `no ports for ${config.name}`;
  }
}

export function checkWell(config: Config): void {
  if (config.ports.length === 0) {
    throw new RangeError(`no ports for ${config.name}`);
  }
}

export function trace(config: Config): Config {
  console.log("config", config.name);
  return config;
}

export function warn(config: Config): Config {
  console.warn("config", config.name);
  return config;
}

// @ts-ignore
export const broken: number = limits;

// @ts-expect-error: the declaration of the library says string (issue 88)
export const mended: number = limits;

export function median(samples: number[]): number {
  const sorted = samples.sort();
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export function firstName(names: string[]): string {
  const sorted = names.sort();
  return sorted[0] ?? "";
}
